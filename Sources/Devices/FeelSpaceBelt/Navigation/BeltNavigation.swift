import DeviceKit

/// The navigation controller: the state machine that the current libraries share (`FSNavigationController`,
/// `NavigationController`), without bytes and clocks.
///
/// The state exists independently of the connection: navigation resumes after a lost link.
struct BeltNavigation: Hashable, Sendable {
    /// What the wearer is being led by.
    enum State: Named {
        /// Nothing.
        case stopped
        /// A direction that is not shown for now.
        case paused
        /// A direction.
        case navigating

        /// The name in topics.
        var name: String {
            switch self {
            case .stopped: "stopped"
            case .paused: "paused"
            case .navigating: "navigating"
            }
        }
    }

    /// Where to, and how that is shown.
    struct Target: Hashable, Sendable {
        /// Whole degrees; nil until one was given.
        var direction: Int?
        /// What the direction is counted from.
        var reference: BeltReference
        var signal: BeltSignal

        /// Makes a target.
        init(direction: Int? = nil, reference: BeltReference = .magnetic, signal: BeltSignal = .navigating) {
            self.direction = direction
            self.reference = reference
            self.signal = signal
        }
    }

    /// What happens to the controller.
    enum Event: Hashable, Sendable {
        /// The application starts or resumes.
        case start(Target)
        /// The application changes the target.
        case update(Target)
        /// The application pauses.
        case pause
        /// The application stops.
        case stop
        /// The link is ready for commands.
        case linkReady
        /// The belt is in another mode than before, not by a button.
        case modeNotified(BeltMode)
        /// The wearer pressed a button.
        case button(BeltButtonPress)
    }

    /// What the controller wants done.
    enum Action: Hashable, Sendable {
        /// Ask the belt to change its mode.
        case enter(BeltMode)
        /// Send the target's signal, not more often than allowed.
        case signal
        /// Tell the application that the wearer pressed home.
        case home(navigating: Bool)
    }

    var state: State = .stopped
    /// The stored target.
    var target = Target()
    /// Whether the belt's pause mode is this controller's doing.
    var isPauseOurs = false

    /// Makes a stopped controller.
    init() {}
}
