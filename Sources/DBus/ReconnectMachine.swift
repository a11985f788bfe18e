/// Decides when to reconnect to a lost bus. A value without side effects: it receives events and returns actions.
public struct ReconnectMachine: Sendable, Hashable {
    /// The connection state.
    public enum State: Sendable, Hashable {
        case idle
        case connecting
        case connected
        case waiting
        case stopped
    }

    /// An event that the owner of the machine reports to it.
    public enum Input: Sendable, Hashable {
        case start
        case connected
        case failed
        case lost
        case delayOver
        case stop
    }

    /// What the owner of the machine has to do next.
    public enum Action: Sendable, Hashable {
        /// Open a connection, and report `connected` or `failed`.
        case connect
        /// Report `delayOver` after this delay.
        case wait(Duration)
        /// No action.
        case none
    }

    /// The growth of the delays.
    public struct Backoff: Sendable, Hashable {
        /// The first delay.
        public var first: Duration
        /// The factor between consecutive delays.
        public var factor: Double
        /// The maximum delay.
        public var limit: Duration

        /// Creates growing delays; the defaults start at 0.1 s and double up to 5 s.
        public init(first: Duration = .milliseconds(100), factor: Double = 2, limit: Duration = .seconds(5)) {
            self.first = first
            self.factor = factor
            self.limit = limit
        }
    }

    /// The connection state.
    public private(set) var state = State.idle
    private let backoff: Backoff
    private var nextDelay: Duration

    /// Creates an idle machine.
    public init(backoff: Backoff = Backoff()) {
        self.backoff = backoff
        nextDelay = backoff.first
    }

    /// Handles an event and returns the next action. Events that do not match the state are ignored.
    public mutating func handle(_ input: Input) -> Action {
        switch (state, input) {
        case (.stopped, _):
            return .none
        case (_, .stop):
            state = .stopped
            return .none
        case (.idle, .start), (.waiting, .delayOver):
            state = .connecting
            return .connect
        case (.connecting, .connected):
            state = .connected
            nextDelay = backoff.first
            return .none
        case (.connecting, .failed), (.connected, .lost):
            state = .waiting
            defer { nextDelay = min(nextDelay * backoff.factor, backoff.limit) }
            return .wait(nextDelay)
        default:
            return .none
        }
    }
}
