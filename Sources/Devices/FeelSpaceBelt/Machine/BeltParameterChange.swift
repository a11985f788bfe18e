import DeviceKit
import JSON

/// A request that is complete only when the belt's notification confirms it.
struct BeltParameterChange: Sendable {
    /// How long the belt can take to notify the new value after it acknowledged the request.
    static let time: Duration = .seconds(1)

    /// What the belt must notify to confirm the request.
    enum Goal: Hashable, Sendable {
        case mode(BeltMode)
        /// The belt must notify one of these parameters with the requested value.
        case parameter([BeltParameter], JSON.Value)
    }

    /// What the bridge does after the confirmation.
    enum Next: Hashable, Sendable {
        /// The command is answered.
        case answer
        /// A vibration command that requires app mode is written. The original command is answered when the belt
        /// acknowledges the vibration.
        case vibrate(BeltVibrationCommand)
        /// Orientation notifications are enabled again; they are paused while their period is changed.
        case orientation
        /// The navigation signal is written, or the command that changed the state of navigation is answered.
        case navigation
    }

    var confirmation: Confirmation<Goal>
    var command: CommandID?
    var next: Next
    /// The additional JSON members of a successful answer.
    var members: JSON.Object = [:]
    /// The value that the belt reported instead of the requested value.
    var adjusted: JSON.Value?

    var goal: Goal { confirmation.goal }
}
