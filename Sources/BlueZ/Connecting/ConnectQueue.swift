/// Orders the connections of one adapter: one at a time, urgent ones first, else in the order of asking. Pure.
package struct ConnectQueue: Hashable, Sendable {
    package struct Ticket: Hashable, Sendable {
        package let number: UInt64
        package let isUrgent: Bool
    }

    package private(set) var current: Ticket?
    private var waiting: [Ticket] = []
    private var nextNumber: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { current == nil && waiting.isEmpty }
    package var waitingCount: Int { waiting.count }

    /// Adds a wish to connect; its turn comes with ``next()``.
    package mutating func enqueue(isUrgent: Bool) -> Ticket {
        let ticket = Ticket(number: nextNumber, isUrgent: isUrgent)
        nextNumber += 1
        let place = isUrgent ? waiting.firstIndex { !$0.isUrgent } : nil
        waiting.insert(ticket, at: place ?? waiting.endIndex)
        return ticket
    }

    /// Gives the turn to the first that waits, if it is free.
    package mutating func next() -> Ticket? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }

    /// Ends a turn, or a wish whose turn has not come.
    package mutating func finish(_ ticket: Ticket) {
        if current == ticket { current = nil }
        waiting.removeAll { $0 == ticket }
    }
}
