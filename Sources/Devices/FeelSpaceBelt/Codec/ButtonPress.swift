/// A button of the belt's control box.
package enum Button: UInt8, Named {
    /// Switches on and off.
    case power = 1
    /// Pauses.
    case pause
    /// Starts the compass.
    case compass
    /// Left to the application.
    case home

    /// The name in topics.
    package var name: String {
        switch self {
        case .power: "power"
        case .pause: "pause"
        case .compass: "compass"
        case .home: "home"
        }
    }
}

/// A button press, as the belt notifies it on `FE04`.
package struct ButtonPress: Hashable, Sendable {
    /// Which button.
    package var button: Button
    /// The press type's code, of which only long from 3 on is known (`FSCommandManager`).
    package var pressType: UInt8
    /// The mode before.
    package var previousMode: Mode
    /// The mode after; equal to the one before where the belt leaves the reaction to the application.
    package var mode: Mode

    /// Makes a press.
    package init(_ button: Button, pressType: UInt8 = 1, from previousMode: Mode, to mode: Mode) {
        self.button = button
        self.pressType = pressType
        self.previousMode = previousMode
        self.mode = mode
    }

    /// Whether the button was held.
    package var isLong: Bool { pressType >= 3 }

    /// Decodes at least 5 bytes; nil for fewer, and for a button or mode that is not known.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, let button = Button(rawValue: bytes[0]),
            let previous = Mode(rawValue: bytes[3]), let mode = Mode(rawValue: bytes[4])
        else { return nil }
        self.init(button, pressType: bytes[1], from: previous, to: mode)
    }

    /// The packet; its third byte has no known meaning.
    package var bytes: [UInt8] { [button.rawValue, pressType, 0, previousMode.rawValue, mode.rawValue] }
}
