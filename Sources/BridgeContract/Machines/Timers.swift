/// The timers of a session or of the bridge: when each runs out, and which come next.
package struct Timers<Name: Hashable & Sendable>: Sendable {
    package typealias Key = Name

    /// A timer that has run out, to be taken before it is acted upon.
    package struct Ticket: Hashable, Sendable {
        package let key: Key
        fileprivate let number: Int
    }

    private struct Entry: Sendable {
        var deadline: Duration
        var number: Int
    }

    private var entries: [Key: Entry] = [:]
    private var count = 0

    /// Makes a set of no timers.
    package init() {}

    /// When the next timer runs out.
    package var next: Duration? { entries.values.lazy.map(\.deadline).min() }

    package mutating func start(_ key: Key, at deadline: Duration) {
        count += 1
        entries[key] = Entry(deadline: deadline, number: count)
    }

    package mutating func cancel(_ key: Key) { entries[key] = nil }

    package mutating func cancel(where isMeant: (Key) -> Bool) {
        entries = entries.filter { !isMeant($0.key) }
    }

    /// When a timer runs out; nil if it does not run.
    package func deadline(_ key: Key) -> Duration? { entries[key]?.deadline }

    /// The timers that have run out: the earliest first, of two alike the one that was started first.
    package func due(at now: Duration) -> [Ticket] {
        entries.filter { $0.value.deadline <= now }
            .sorted { ($0.value.deadline, $0.value.number) < ($1.value.deadline, $1.value.number) }
            .map { Ticket(key: $0.key, number: $0.value.number) }
    }

    /// Takes a timer that has run out.
    ///
    /// - Returns: False if it was stopped or moved since: by what an earlier one of the same moment led to.
    package mutating func take(_ ticket: Ticket) -> Bool {
        guard entries[ticket.key]?.number == ticket.number else { return false }
        entries[ticket.key] = nil
        return true
    }
}
