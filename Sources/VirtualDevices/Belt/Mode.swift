extension VirtualBelt {
    /// What the belt is doing.
    public enum Mode: UInt8, Hashable, Sendable, CaseIterable {
        /// Switched off, or about to be.
        case standby = 0
        /// Waiting for a button or a command.
        case wait = 1
        /// Showing magnetic north.
        case compass = 2
        /// Vibrating as the client says.
        case app = 3
        /// Silent for a while.
        case pause = 4
        /// Calibrating its sensors.
        case calibration = 5
        /// Showing the direction in which it was when it began.
        case crossing = 6

        /// The mode as a live line and a report write it.
        var word: String { String(describing: self) }

        /// Reads what ``word`` writes.
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
