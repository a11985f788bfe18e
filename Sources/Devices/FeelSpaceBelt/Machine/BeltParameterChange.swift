import DeviceKit
import JSON

/// A request that is done only when the belt's own notification says so.
struct BeltParameterChange: Sendable {
    /// How long the belt may take after it acknowledged the request.
    static let time: Duration = .seconds(1)

    /// What the notification must say.
    enum Goal: Hashable, Sendable {
        case mode(BeltMode)
        /// The value of one of these parameters, wanted to be as given.
        case parameter([BeltParameter], JSON.Value)
    }

    /// What follows.
    enum Next: Hashable, Sendable {
        /// The command's answer.
        case answer
        /// A vibration command that needed app mode; the command is answered when it is acknowledged.
        case vibrate(BeltVibrationCommand)
        /// Orientation notifications, which pause while their period is changed.
        case orientation
        /// The controller's signal, or the answer to the command that changed its state.
        case navigation
    }

    var confirmation: Confirmation<Goal>
    var command: CommandID?
    var next: Next
    /// What the answer to a success says besides.
    var members: JSON.Object = [:]
    /// What the belt said instead of the wanted value.
    var adjusted: JSON.Value?

    var goal: Goal { confirmation.goal }
}
