import DeviceKit

/// A button of the belt's control box.
enum BeltButton: UInt8, Named {
    /// The button that switches the belt on and off.
    case power = 1
    case pause = 2
    /// The button that starts the compass.
    case compass = 3
    /// The home button, which has no function in the belt. The application can use the button.
    case home = 4

    var name: String {
        switch self {
        case .power: "power"
        case .pause: "pause"
        case .compass: "compass"
        case .home: "home"
        }
    }
}

/// A button press, notified on `FE04`.
struct BeltButtonPress: Hashable, Sendable {
    var button: BeltButton
    /// The code of the press type. Only the codes from 3 on are documented: they mean a long press
    /// (`FSCommandManager`).
    var pressType: UInt8
    /// The mode before the press.
    var previousMode: BeltMode
    /// The mode after the press. It equals the mode before if the belt leaves the reaction to the application.
    var mode: BeltMode

    init(_ button: BeltButton, pressType: UInt8 = 1, from previousMode: BeltMode, to mode: BeltMode) {
        self.button = button
        self.pressType = pressType
        self.previousMode = previousMode
        self.mode = mode
    }

    enum Length: String, Named {
        case short, long
    }

    var length: Length { isLong ? .long : .short }
    var isLong: Bool { pressType >= 3 }

    /// Decodes at least 5 bytes; nil for fewer bytes, and for an unknown button or mode.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, let button = BeltButton(rawValue: bytes[0]),
            let previous = BeltMode(rawValue: bytes[3]), let mode = BeltMode(rawValue: bytes[4])
        else { return nil }
        self.init(button, pressType: bytes[1], from: previous, to: mode)
    }

    /// The packet; the meaning of its third byte is unknown.
    var bytes: [UInt8] { [button.rawValue, pressType, 0, previousMode.rawValue, mode.rawValue] }
}
