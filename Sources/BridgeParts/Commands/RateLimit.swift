/// A token bucket: a burst, then a number per second.
package struct RateLimit: Sendable {
    /// The rate in the long run.
    package let perSecond: Int
    /// The maximum number at once.
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
        // Dividing two durations takes twenty times as long.
        let passed = Double((filledAt.map { now - $0 } ?? .zero).nanoseconds) / 1e9
        filledAt = now
        tokens = min(Double(burst), tokens + passed * Double(perSecond))
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
