/// Orders the connections of one adapter: one at a time, urgent ones first, else in the order of asking. Pure.
///
/// What an enqueued, a started or a given-up connection costs does not depend on how many wait.
package struct ConnectQueue: Hashable, Sendable {
    package struct Ticket: Hashable, Sendable {
        package let number: UInt64
        package let isUrgent: Bool
    }

    package private(set) var current: Ticket?
    /// In their order; those that were given up are passed over when their turn comes.
    private var urgent: ArraySlice<Ticket> = []
    private var normal: ArraySlice<Ticket> = []
    private var waiting: Set<Ticket> = []
    private var nextNumber: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { current == nil && waiting.isEmpty }
    package var waitingCount: Int { waiting.count }

    /// Adds a wish to connect; its turn comes with ``next()``.
    package mutating func enqueue(isUrgent: Bool) -> Ticket {
        let ticket = Ticket(number: nextNumber, isUrgent: isUrgent)
        nextNumber += 1
        if isUrgent { urgent.append(ticket) } else { normal.append(ticket) }
        waiting.insert(ticket)
        return ticket
    }

    /// Gives the turn to the first that waits, if it is free.
    package mutating func next() -> Ticket? {
        guard current == nil else { return nil }
        while let ticket = urgent.popFirst() ?? normal.popFirst() {
            guard waiting.remove(ticket) != nil else { continue }
            current = ticket
            return ticket
        }
        return nil
    }

    /// Ends a turn, or a wish whose turn has not come.
    package mutating func finish(_ ticket: Ticket) {
        if current == ticket { current = nil } else { waiting.remove(ticket) }
    }
}
