/// Limits the rate of values per key: a few pass immediately, then one per interval. A waiting value is replaced by a
/// newer one, and the last value always passes.
///
/// Use it for states, where only the newest value matters, and never for events.
package struct Pacer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The rate of a key.
    package struct Pace: Hashable, Sendable {
        /// The number of values that pass immediately after an idle time.
        package var burst = 1
        /// The time between the values after those.
        package var interval: Duration
    }

    private struct Way: Sendable {
        let pace: Pace
        /// When a full burst is available again.
        var rested: Duration
        var waiting: Value?

        /// The time before which no value passes.
        var opens: Duration { rested - pace.interval * (pace.burst - 1) }

        mutating func pass(at now: Duration) -> Value? {
            defer { waiting = nil }
            rested = max(rested, now) + pace.interval
            return waiting
        }
    }

    private var ways: [Key: Way] = [:]
    /// The number of keys at which idle ones are removed. It grows with the number that remain, so the cost per value
    /// is constant.
    private var limit = Self.smallest
    private static var smallest: Int { 16 }

    /// Accepts a value.
    ///
    /// - Returns: The value if it passes now; nil if it waits. It replaces a value that waits already.
    package mutating func take(_ value: Value, on key: Key, _ pace: Pace, at now: Duration) -> Value? {
        forgetRested(at: now)
        var way = ways[key] ?? Way(pace: pace, rested: now)
        defer { ways[key] = way }
        let isBehind = way.waiting != nil || now < way.opens
        way.waiting = value
        return isBehind ? nil : way.pass(at: now)
    }

    private mutating func forgetRested(at now: Duration) {
        guard ways.count >= limit else { return }
        ways = ways.filter { $0.value.waiting != nil || now < $0.value.rested }
        limit = max(Self.smallest, 2 * ways.count)
    }

    /// When the next waiting value passes; nil if none waits.
    package var next: Duration? { ways.values.lazy.filter { $0.waiting != nil }.map(\.opens).min() }

    /// Removes and returns the values that are due, in the order in which they could pass.
    package mutating func due(at now: Duration) -> [Value] {
        let due = ways.filter { $0.value.waiting != nil && $0.value.opens <= now }
        return due.sorted { $0.value.opens < $1.value.opens }.compactMap { ways[$0.key]?.pass(at: now) }
    }
}
