import DeviceKit

/// The navigation controller: the same state machine as in FSLib-iOS (`FSNavigationController`) and FSLib-Android
/// (`NavigationController`). It handles no packets and no timers.
///
/// The state is independent of the connection: navigation resumes after a lost link.
struct BeltNavigation: Hashable, Sendable {
    /// The state of navigation.
    enum State: Named {
        /// Navigation is off.
        case stopped
        /// A direction is set but not shown.
        case paused
        /// A direction is shown.
        case navigating

        var name: String {
            switch self {
            case .stopped: "stopped"
            case .paused: "paused"
            case .navigating: "navigating"
            }
        }
    }

    /// The direction that navigation shows, and the signal that shows it.
    struct Target: Hashable, Sendable {
        /// The direction in whole degrees; nil before the first direction.
        var direction: Int?
        /// What the direction is relative to.
        var reference: BeltReference
        var signal: BeltSignal

        init(direction: Int? = nil, reference: BeltReference = .magnetic, signal: BeltSignal = .navigating) {
            self.direction = direction
            self.reference = reference
            self.signal = signal
        }
    }

    /// An event that the navigation controller handles.
    enum Event: Hashable, Sendable {
        /// The application starts or resumes navigation.
        case start(Target)
        /// The application changes the target of navigation.
        case update(Target)
        /// The application pauses navigation.
        case pause
        /// The application stops navigation.
        case stop
        /// The link is ready for commands.
        case linkReady
        /// The belt changed its mode without a button.
        case modeNotified(BeltMode)
        /// The wearer pressed a button.
        case button(BeltButtonPress)
    }

    /// An action that the navigation controller requests from the belt's state machine (``BeltMachine``).
    enum Action: Hashable, Sendable {
        /// Request another mode from the belt.
        case enter(BeltMode)
        /// Write the signal of the target, at most as often as ``BeltMachine/signalInterval`` allows.
        case signal
        /// Report to the application that the wearer pressed the home button.
        case home(navigating: Bool)
    }

    var state: State = .stopped
    /// The target that the application set last.
    var target = Target()
    /// Whether this controller switched the belt to pause mode.
    var isPauseOurs = false

    init() {}
}
