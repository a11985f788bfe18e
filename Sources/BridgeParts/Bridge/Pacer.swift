/// Lets through, of what comes on each of several ways, a few at once and then one in a while: always the newest, and the
/// last one never lost.
///
/// It is for values of which the newest counts, never for events.
package struct Pacer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How often values pass on a way.
    package struct Pace: Hashable, Sendable {
        /// How many pass one right behind the other after a rest.
        package var burst = 1
        /// How far apart they pass then.
        package var interval: Duration
    }

    private struct Way: Sendable {
        let pace: Pace
        /// When the way has rested.
        var rested: Duration
        var waiting: Value?

        /// Before when nothing passes.
        var opens: Duration { rested - pace.interval * (pace.burst - 1) }

        mutating func pass(at now: Duration) -> Value? {
            defer { waiting = nil }
            rested = max(rested, now) + pace.interval
            return waiting
        }
    }

    private var ways: [Key: Way] = [:]
    /// With so many ways those are forgotten that have rested: a value costs the same among many of them.
    private var limit = Self.smallest
    private static var smallest: Int { 16 }

    /// Takes a value.
    ///
    /// - Returns: The value if it passes now; nil if it waits, in place of the one that waited.
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

    /// When the next value passes that waits; nil if none does.
    package var next: Duration? { ways.values.lazy.filter { $0.waiting != nil }.map(\.opens).min() }

    /// Takes the values whose time has come, the one that could pass first first.
    package mutating func due(at now: Duration) -> [Value] {
        let due = ways.filter { $0.value.waiting != nil && $0.value.opens <= now }
        return due.sorted { $0.value.opens < $1.value.opens }.compactMap { ways[$0.key]?.pass(at: now) }
    }
}
