/// Decides when a lost bus is tried again; pure: it is told what happened and says what to do.
public struct ReconnectMachine: Sendable, Hashable {
    /// Where it stands.
    public enum State: Sendable, Hashable {
        case idle
        case connecting
        case connected
        case waiting
        case stopped
    }

    /// What happened.
    public enum Input: Sendable, Hashable {
        case start
        case connected
        case failed
        case lost
        case delayOver
        case stop
    }

    /// What to do.
    public enum Action: Sendable, Hashable {
        /// Open a connection and report `connected` or `failed`.
        case connect
        /// Report `delayOver` after this time.
        case wait(Duration)
        /// Nothing.
        case none
    }

    /// How the delays grow.
    public struct Backoff: Sendable, Hashable {
        /// The first delay.
        public var first: Duration
        /// What each further one is longer by.
        public var factor: Double
        /// The longest one.
        public var limit: Duration

        /// Describes growing delays; the defaults are 0.1 s, doubled up to 5 s.
        public init(first: Duration = .milliseconds(100), factor: Double = 2, limit: Duration = .seconds(5)) {
            self.first = first
            self.factor = factor
            self.limit = limit
        }
    }

    /// Where it stands.
    public private(set) var state = State.idle
    private let backoff: Backoff
    private var nextDelay: Duration

    /// Begins idle.
    public init(backoff: Backoff = Backoff()) {
        self.backoff = backoff
        nextDelay = backoff.first
    }

    /// Takes what happened and says what to do. What does not fit the state is ignored.
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
