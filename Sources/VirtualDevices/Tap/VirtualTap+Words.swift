extension VirtualTap {
    /// The input mode, which determines who receives the wearer's input.
    enum Mode: Sendable {
        case text
        case controller
        case mouseHID
        case fullHID
        case raw

        /// Decodes a mode code; nil for an unknown code.
        init?(code: UInt8) {
            switch code {
            case 0x00: self = .text
            case 0x01: self = .controller
            case 0x03, 0x04: self = .mouseHID
            case 0x05: self = .fullHID
            case 0x0A: self = .raw
            default: return nil
            }
        }

        /// The mode's name in reports.
        var word: String {
            switch self {
            case .text: "text"
            case .controller: "controller"
            case .mouseHID: "controller_mouse_hid"
            case .fullHID: "controller_full_hid"
            case .raw: "raw"
            }
        }

        var typesKeys: Bool { self == .text || self == .fullHID }
        var movesPointer: Bool { self == .text || self == .mouseHID || self == .fullHID }
    }

    /// How a TapXR interprets the hand, as a command set it.
    enum XRState: UInt8, Sendable {
        case airMouse = 1
        case tapping = 2
        case userControl = 3

        var word: String { ["air_mouse", "tapping", "user_control"][Int(rawValue) - 1] }
    }

    /// The state of the air mouse.
    enum AirState: UInt8, CaseIterable, Sendable {
        case standby = 0
        case airMouse = 1
        case optical1 = 2
        case optical2 = 3

        /// The name of the state in live lines.
        var word: String { ["off", "on", "optical-1", "optical-2"][Int(rawValue)] }
    }

    /// A hand posture that a TapXR detects.
    enum Hand: UInt8, CaseIterable, Sendable {
        case open = 100
        case thumbIndex = 101
        case thumbMiddle = 102
        case thumbRing = 103
        case thumbPinky = 104
        case fist = 105

        /// The name of the posture in live lines.
        var word: String {
            ["open", "thumb-index", "thumb-middle", "thumb-ring", "thumb-pinky", "fist"][Int(rawValue) - 100]
        }
    }

    /// The names of the gestures. The code of a gesture is its index.
    static let gestures = [
        "none", "general", "one_finger_up", "two_fingers_up", "one_finger_down", "two_fingers_down",
        "one_finger_left", "two_fingers_left", "one_finger_right", "two_fingers_right", "index_to_thumb",
        "middle_to_thumb",
    ]

    /// The state of the keyboard layers (byte 3 of a tap notification).
    struct Keyboard: Hashable, Sendable {
        var shift = Shift.off
        var isSwitched = false

        enum Shift: UInt8, CaseIterable, Sendable {
            case off = 0
            case on = 1
            case locked = 2
            case undefined = 3

            var word: String { String(describing: self) }
        }

        /// The byte of a tap notification that contains the layers and the number of taps in a row.
        func byte(taps: Int = 1) -> UInt8 {
            let repetition: UInt8 = taps == 1 ? 0 : taps == 2 ? 1 : 3
            return shift.rawValue | (isSwitched ? 1 : 0) << 2 | repetition << 4
        }
    }

    /// The measurement ranges of the sensors in raw mode, as codes.
    struct Sensitivity: Hashable, Sendable {
        var fingers: UInt8 = 0
        var gyro: UInt8 = 0
        var accelerometer: UInt8 = 0

        init() {}

        /// Decodes the three bytes of a command. Values out of range give the device's default.
        init(_ bytes: ArraySlice<UInt8>) {
            let codes = Array(bytes)
            fingers = codes[0] <= 4 ? codes[0] : 0
            gyro = codes[1] <= 5 ? codes[1] : 0
            accelerometer = codes[2] <= 4 ? codes[2] : 0
        }

        /// How many thousandths of g one count of a finger's accelerometer means.
        var fingerFactor: Double { [31.25, 3.90625, 7.8125, 15.625, 31.25][Int(fingers)] }
        /// How many millidegrees per second one count of the gyroscope means.
        var gyroFactor: Double { [17.5, 4.375, 8.75, 17.5, 35, 70][Int(gyro)] }
        /// How many thousandths of g one count of the thumb's accelerometer means.
        var accelerometerFactor: Double { [0.122, 0.061, 0.122, 0.244, 0.488][Int(accelerometer)] }

        /// The codes as text for reports.
        var text: String { "\(fingers),\(gyro),\(accelerometer)" }
    }
}
