/// Detects from two clocks that a loop was kept from its work: a pure value.
///
/// It expects to be asked again within a period, for as long as it is told to.
struct StallDetector: Sendable {
    /// By how much the two clocks may drift apart without a sleep of the machine.
    static let drift = Duration.milliseconds(100)

    /// From which lateness on it counts.
    let limit: Duration
    private var due: Duration?
    /// By how much the clock that counts sleep is ahead of the other one.
    private var lead: Duration?

    init(limit: Duration) { self.limit = limit }

    /// Expects to be asked at this time at the latest; nil: whenever that is.
    mutating func expect(by time: Duration?) { due = time }

    /// Says what happened until now, once.
    ///
    /// - Parameters:
    ///   - now: The time with sleep.
    ///   - awake: The time without.
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
