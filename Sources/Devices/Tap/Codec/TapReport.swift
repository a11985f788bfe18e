import DeviceKit

/// A finger, counted from the thumb on either hand. The raw value is the name in topics.
enum TapFinger: String, Named {
    case thumb, index, middle, ring, pinky

    /// The bit that stands for the finger in a combination.
    private var bit: UInt8 {
        switch self {
        case .thumb: 1
        case .index: 2
        case .middle: 4
        case .ring: 8
        case .pinky: 16
        }
    }

    /// Returns the fingers of a combination, thumb first.
    static func fingers(of combination: UInt8) -> [TapFinger] {
        allCases.filter { combination & $0.bit != 0 }
    }
    static func combination(of fingers: some Sequence<TapFinger>) -> UInt8 {
        fingers.reduce(0) { $0 | $1.bit }
    }
}

/// A tap, or only the state of the keyboard, notified on `c3ff0005`.
struct TapReport: Hashable, Sendable {
    /// The state of the TAP's keyboard. Only newer firmware sends it.
    struct Keyboard: Hashable, Sendable {
        /// Whether the next letter is a capital. The raw value is the name in topics.
        enum Shift: String, Named {
            case off, on, locked
        }

        /// The shift state; nil for a value without a known meaning.
        var shift: Shift?
        /// Whether the second layer of the TAP's keyboard is on.
        var isSwitched: Bool
        /// How often the combination was tapped in succession, 1 to 3.
        var repetitions: Int

        /// Decodes the byte. A raw repeat value of 2 should not occur; tap-ios-sdk reads it as 3.
        init(_ byte: UInt8) {
            shift =
                switch byte & 0x03 {
                case 0: .off
                case 1: .on
                case 2: .locked
                default: nil
                }
            isSwitched = byte & 0x0C != 0
            repetitions = min(Int(byte >> 4 & 0x03) + 1, 3)
        }
    }

    /// The fingers as bits, starting with the thumb; 0 if only the state of the keyboard is reported.
    var combination: UInt8
    /// The state of the keyboard; nil if the firmware does not send it.
    var keyboard: Keyboard?

    init(combination: UInt8, keyboard: Keyboard? = nil) {
        self.combination = combination
        self.keyboard = keyboard
    }

    /// Decodes at least one byte. The second and third byte have no known meaning. Returns nil for an empty value,
    /// and for a combination of more than five fingers.
    init?(_ bytes: [UInt8]) {
        guard let combination = bytes.first, combination < 32 else { return nil }
        self.combination = combination
        keyboard = bytes.count >= 4 ? Keyboard(bytes[3]) : nil
    }
}

/// A tap as it is published.
struct Tapped: Hashable, Sendable {
    /// The fingers as bits, starting with the thumb.
    let combination: UInt8
    /// The fingers, thumb first.
    let fingers: [TapFinger]
    /// How often the combination was tapped in a row; nil if the firmware does not send it.
    let repetitions: Int?
    /// The shift state of the keyboard; nil if it is not reported or has no known meaning.
    let shift: TapReport.Keyboard.Shift?
    /// Whether the second layer of the keyboard is on; nil if the firmware does not send this.
    let isSwitched: Bool?

    /// Creates a tap from a report.
    init(_ report: TapReport) {
        combination = report.combination
        fingers = TapFinger.fingers(of: report.combination)
        repetitions = report.keyboard?.repetitions
        shift = report.keyboard?.shift
        isSwitched = report.keyboard?.isSwitched
    }
}
