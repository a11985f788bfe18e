/// The timers of a session or of the bridge, with their deadlines.
package struct Timers<Name: Hashable & Sendable>: Sendable {
    package typealias Key = Name

    /// A timer that has expired. Pass it to ``Timers/take(_:)`` before you act on it.
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

    package init() {}

    /// The earliest deadline; nil if there are no timers.
    package var next: Duration? { entries.values.lazy.map(\.deadline).min() }

    package mutating func start(_ key: Key, at deadline: Duration) {
        count += 1
        entries[key] = Entry(deadline: deadline, number: count)
    }

    package mutating func cancel(_ key: Key) { entries[key] = nil }

    package mutating func cancel(where isMeant: (Key) -> Bool) {
        entries = entries.filter { !isMeant($0.key) }
    }

    /// The deadline of a timer; nil if it is not running.
    package func deadline(_ key: Key) -> Duration? { entries[key]?.deadline }

    /// The expired timers, the earliest first; timers with equal deadlines in the order in which they were started.
    package func due(at now: Duration) -> [Ticket] {
        entries.filter { $0.value.deadline <= now }
            .sorted { ($0.value.deadline, $0.value.number) < ($1.value.deadline, $1.value.number) }
            .map { Ticket(key: $0.key, number: $0.value.number) }
    }

    /// Removes an expired timer.
    ///
    /// - Returns: False if the timer was stopped or restarted since, for example by the action of another timer that
    ///   expired at the same time.
    package mutating func take(_ ticket: Ticket) -> Bool {
        guard entries[ticket.key]?.number == ticket.number else { return false }
        entries[ticket.key] = nil
        return true
    }
}
