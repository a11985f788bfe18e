/// Lets so many pass a second, after a burst: a bucket of tokens that fills up again.
package struct RateLimit: Sendable {
    /// How many may pass a second in the long run.
    package let perSecond: Int
    /// How many may pass at once.
    package let burst: Int

    private var tokens: Double
    private var filledAt: Duration?

    package init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
        tokens = Double(burst)
    }

    /// Whether one more may pass now.
    package mutating func take(at now: Duration) -> Bool {
        // A quotient of two durations costs twenty times as much.
        let passed = Double((filledAt.map { now - $0 } ?? .zero).nanoseconds) / 1e9
        filledAt = now
        tokens = min(Double(burst), tokens + passed * Double(perSecond))
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
