import Bluetooth
import DeviceKit

/// A value of the buttons characteristic that is being proved by reading it back.
struct RobotConfirmation: Hashable, Sendable {
    /// What is waited for.
    enum Stage: Hashable, Sendable {
        /// The write is under way.
        case writing(WriteToken)
        /// The read is under way.
        case reading
    }

    /// After how many disagreements the robot is given up.
    static let attempts = 3
    /// How long one attempt may take.
    static let time = Duration.seconds(1)

    /// What is waited for.
    var stage: Stage
    /// How many attempts failed.
    var failures = 0
    /// The commands that are answered at its end.
    var commands: [CommandID] = []
    /// Whether an emergency stop is among what is to be proved.
    var isEmergency = false
}
