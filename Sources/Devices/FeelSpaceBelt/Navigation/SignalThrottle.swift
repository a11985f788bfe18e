/// Lets at most one navigation signal out per 100 ms, and one at a time; what comes in between is merged into one
/// delayed packet with the newest values.
///
/// Both libraries space their packets by 0.1 s (`MIN_PERIOD_NAVIGATION_UPDATE`); waiting for the acknowledgement as
/// well keeps old directions from piling up on a slow link.
struct SignalThrottle: Hashable, Sendable {
    /// The shortest time between two packets.
    static let interval: Duration = .milliseconds(100)

    /// What to do now.
    enum Decision: Hashable, Sendable {
        /// Send the newest values.
        case send
        /// Ask again after so long.
        case wait(Duration)
        /// Nothing; the next acknowledgement or request decides.
        case nothing
    }

    /// Whether values wait to be sent.
    private(set) var isDue = false
    private var isInFlight = false
    private var lastSent: Duration?

    /// There are new values.
    mutating func request(at now: Duration) -> Decision {
        isDue = true
        return advance(at: now)
    }

    /// The packet was acknowledged or refused.
    mutating func completed(at now: Duration) -> Decision {
        isInFlight = false
        return advance(at: now)
    }

    /// Time has passed.
    mutating func advance(at now: Duration) -> Decision {
        guard isDue, !isInFlight else { return .nothing }
        if let lastSent, now < lastSent + Self.interval { return .wait(lastSent + Self.interval - now) }
        isDue = false
        isInFlight = true
        lastSent = now
        return .send
    }

    /// The values that wait are of no use any more.
    mutating func cancel() { isDue = false }

    /// The link is gone: nothing is under way.
    mutating func reset() { self = SignalThrottle() }
}
