/// A rate limit with a token bucket: at first a burst of tokens, then a number of tokens per second.
package struct RateLimit: Sendable {
    /// The number of tokens per second in the long run.
    package let perSecond: Int
    /// The maximum number of tokens that can accumulate.
    package let burst: Int

    private var tokens: Double
    private var filledAt: Duration?

    package init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
        tokens = Double(burst)
    }

    /// Takes a token; returns false if none is left.
    package mutating func take(at now: Duration) -> Bool {
        // The code divides nanoseconds, since a division of two durations takes twenty times as long.
        let passed = Double((filledAt.map { now - $0 } ?? .zero).nanoseconds) / 1e9
        filledAt = now
        tokens = min(Double(burst), tokens + passed * Double(perSecond))
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
