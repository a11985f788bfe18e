/// Detects from two clocks that a loop could not run. A value without side effects.
///
/// The loop announces with ``expect(by:)`` when the next check is due. If the check comes later than that, the loop was
/// delayed.
struct StallDetector: Sendable {
    /// The maximum difference between the two clocks that is not considered a suspend.
    static let drift = Duration.milliseconds(100)

    /// The minimum delay that counts as a stall.
    let limit: Duration
    private var due: Duration?
    /// The time by which the clock that includes suspend is ahead of the other clock; nil before the first check.
    private var lead: Duration?

    init(limit: Duration) { self.limit = limit }

    /// Sets the time at which the next check is due; nil if any delay is allowed.
    mutating func expect(by time: Duration?) { due = time }

    /// Returns the stall since the last check, if any.
    ///
    /// - Parameters:
    ///   - now: The time including suspend.
    ///   - awake: The time without suspend.
    mutating func check(at now: Duration, awake: Duration) -> EventLoop.Stall? {
        let former = lead ?? now - awake
        lead = now - awake
        let slept = now - awake - former
        let lateness = due.map { now - $0 } ?? .zero
        if slept > Self.drift {
            due = due.map { max($0, now) }
            return .suspended(slept)
        }
        guard lateness > limit else { return nil }
        due = now
        return .late(lateness)
    }
}
