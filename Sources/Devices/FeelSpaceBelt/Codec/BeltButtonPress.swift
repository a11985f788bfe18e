import DeviceKit

/// A button of the belt's control box.
enum BeltButton: UInt8, Named {
    /// Switches on and off.
    case power = 1
    case pause = 2
    /// Starts the compass.
    case compass = 3
    /// Left to the application.
    case home = 4

    /// The name in topics.
    var name: String {
        switch self {
        case .power: "power"
        case .pause: "pause"
        case .compass: "compass"
        case .home: "home"
        }
    }
}

/// A button press, as the belt notifies it on `FE04`.
struct BeltButtonPress: Hashable, Sendable {
    var button: BeltButton
    /// The press type's code, of which only long from 3 on is known (`FSCommandManager`).
    var pressType: UInt8
    /// The mode before.
    var previousMode: BeltMode
    /// The mode after; equal to the one before where the belt leaves the reaction to the application.
    var mode: BeltMode

    /// Makes a press.
    init(_ button: BeltButton, pressType: UInt8 = 1, from previousMode: BeltMode, to mode: BeltMode) {
        self.button = button
        self.pressType = pressType
        self.previousMode = previousMode
        self.mode = mode
    }

    /// How long a button was pressed.
    enum Length: String, Named {
        case short, long
    }

    /// How long the button was pressed.
    var length: Length { isLong ? .long : .short }
    /// Whether the button was held.
    var isLong: Bool { pressType >= 3 }

    /// Decodes at least 5 bytes; nil for fewer, and for a button or mode that is not known.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, let button = BeltButton(rawValue: bytes[0]),
            let previous = BeltMode(rawValue: bytes[3]), let mode = BeltMode(rawValue: bytes[4])
        else { return nil }
        self.init(button, pressType: bytes[1], from: previous, to: mode)
    }

    /// The packet; its third byte has no known meaning.
    var bytes: [UInt8] { [button.rawValue, pressType, 0, previousMode.rawValue, mode.rawValue] }
}
