extension VirtualBelt {
    /// The operating mode of the belt.
    public enum Mode: UInt8, Hashable, Sendable, CaseIterable {
        /// The belt is switched off, or about to switch off.
        case standby = 0
        /// The belt waits for a button or a command.
        case wait = 1
        /// The belt vibrates toward magnetic north.
        case compass = 2
        /// The belt vibrates by commands of the client.
        case app = 3
        /// The belt does not vibrate until a button resumes the previous mode.
        case pause = 4
        /// The belt calibrates its sensors.
        case calibration = 5
        /// The belt vibrates toward the heading that the wearer had when the mode started.
        case crossing = 6

        /// The mode's name in live lines and reports.
        var word: String { String(describing: self) }

        /// Parses the name that ``word`` returns.
        init?(word: String) {
            guard let mode = Self.allCases.first(where: { $0.word == word }) else { return nil }
            self = mode
        }
    }

    /// The buttons of the control box.
    enum Button: UInt8, CaseIterable, Sendable {
        case power = 1
        case pause = 2
        case compass = 3
        case home = 4

        var word: String { String(describing: self) }

        init?(word: String) {
            guard let button = Self.allCases.first(where: { $0.word == word }) else { return nil }
            self = button
        }
    }

    /// How a button is pressed.
    enum Press: Sendable {
        case short
        case double
        case long
    }
}
