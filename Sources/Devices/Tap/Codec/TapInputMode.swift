import DeviceKit

/// Who receives what the wearer does; the raw value is the name in topics.
enum TapInputMode: String, Named {
    /// Events for the bridge, nothing for the host's keyboard.
    case controller
    /// A keyboard and mouse of the host; no events.
    case text
    /// Events, and mouse motion moves the host's pointer as well.
    case controllerMouseHID = "controller_mouse_hid"
    /// Events beside a working keyboard and mouse.
    case controllerFullHID = "controller_full_hid"
    /// The sensors' own values.
    case raw

    /// The code on the wire. Android's SDK writes 04 for mouse HID, iOS and Windows 03.
    var code: UInt8 {
        switch self {
        case .text: 0x00
        case .controller: 0x01
        case .controllerMouseHID: 0x03
        case .controllerFullHID: 0x05
        case .raw: 0x0A
        }
    }

    /// Finds the mode of a code; nil for one that no source knows.
    init?(code: UInt8) {
        if code == 0x04 {
            self = .controllerMouseHID
        } else if let mode = Self.allCases.first(where: { $0.code == code }) {
            self = mode
        } else {
            return nil
        }
    }
}

/// What only a TapXR has: what it takes the hand for. The raw value is the name in topics.
enum TapXRState: String, Named {
    /// Air mouse only.
    case airMouse = "air_mouse"
    /// Tapping only.
    case tapping
    /// The TapXR decides by the hand's posture.
    case userControl = "user_control"

    /// The code on the wire.
    var code: UInt8 {
        switch self {
        case .airMouse: 1
        case .tapping: 2
        case .userControl: 3
        }
    }

    /// Finds the state of a code; nil for one that no source knows.
    init?(code: UInt8) {
        guard let state = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = state
    }
}
