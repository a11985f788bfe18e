/// Deadlines with names. If several deadlines have the same time, the deadline that was set first is due first.
package struct TimerTable<Name: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var deadline: Duration
        var sequence: UInt64
    }

    private var entries: [Name: Entry] = [:]
    private var lastSequence: UInt64 = 0

    package init() {}

    package var next: Duration? { entries.values.lazy.map(\.deadline).min() }

    package func isSet(_ name: Name) -> Bool { entries[name] != nil }

    /// Sets or moves a deadline.
    package mutating func set(_ name: Name, at deadline: Duration) {
        lastSequence += 1
        entries[name] = Entry(deadline: deadline, sequence: lastSequence)
    }

    /// Removes a deadline.
    package mutating func cancel(_ name: Name) { entries[name] = nil }

    /// Removes all deadlines whose names satisfy the predicate.
    package mutating func cancelAll(_ isMeant: (Name) -> Bool) {
        entries = entries.filter { !isMeant($0.key) }
    }

    /// Removes and returns the earliest deadline that is not later than `now`.
    package mutating func popDue(at now: Duration) -> (name: Name, deadline: Duration)? {
        let earliest = entries.min {
            ($0.value.deadline, $0.value.sequence) < ($1.value.deadline, $1.value.sequence)
        }
        guard let earliest, earliest.value.deadline <= now else { return nil }
        entries[earliest.key] = nil
        return (earliest.key, earliest.value.deadline)
    }
}
