import DeviceKit

/// Who receives the input: the bridge, or the host as from a keyboard and mouse. The raw value is the name in topics.
enum TapInputMode: String, Named {
    /// The bridge receives events, the host receives nothing.
    case controller
    /// The TAP is a keyboard and mouse for the host; the bridge receives no events.
    case text
    /// The bridge receives events; mouse motion also moves the pointer of the host.
    case controllerMouseHID = "controller_mouse_hid"
    /// The bridge receives events, and the TAP is also a keyboard and mouse for the host.
    case controllerFullHID = "controller_full_hid"
    /// The bridge receives the raw values of the sensors.
    case raw

    /// The code of the protocol. The Android SDK writes 04 for mouse HID; iOS and Windows write 03.
    var code: UInt8 {
        switch self {
        case .text: 0x00
        case .controller: 0x01
        case .controllerMouseHID: 0x03
        case .controllerFullHID: 0x05
        case .raw: 0x0A
        }
    }

    /// Returns the mode of a code; nil for a code that no source documents.
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

/// How a TapXR interprets the hand; other models do not have this state. The raw value is the name in topics.
enum TapXRState: String, Named {
    /// The TapXR is always an air mouse.
    case airMouse = "air_mouse"
    /// The TapXR only detects taps.
    case tapping
    /// The TapXR decides by the posture of the hand.
    case userControl = "user_control"

    /// The code of the state in the protocol.
    var code: UInt8 {
        switch self {
        case .airMouse: 1
        case .tapping: 2
        case .userControl: 3
        }
    }

    /// Returns the state of a code; nil for a code that no source documents.
    init?(code: UInt8) {
        guard let state = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = state
    }
}
