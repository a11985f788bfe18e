/// Orders the connection attempts of one adapter: one at a time, urgent attempts first, otherwise in the order of
/// requests. A value without side effects.
///
/// The cost of adding, starting and canceling an attempt does not depend on the number of waiting attempts.
package struct ConnectQueue: Hashable, Sendable {
    package struct Ticket: Hashable, Sendable {
        package let number: UInt64
        package let isUrgent: Bool
    }

    package private(set) var current: Ticket?
    /// The waiting tickets, in order. Canceled tickets stay in the queues, and ``next()`` skips them.
    private var urgent: ArraySlice<Ticket> = []
    private var normal: ArraySlice<Ticket> = []
    private var waiting: Set<Ticket> = []
    private var nextNumber: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { current == nil && waiting.isEmpty }
    package var waitingCount: Int { waiting.count }

    /// Adds a connection request. The request waits until ``next()`` returns its ticket.
    package mutating func enqueue(isUrgent: Bool) -> Ticket {
        let ticket = Ticket(number: nextNumber, isUrgent: isUrgent)
        nextNumber += 1
        if isUrgent { urgent.append(ticket) } else { normal.append(ticket) }
        waiting.insert(ticket)
        return ticket
    }

    /// Returns the ticket of the first waiting request, which may now use the adapter; nil while another request uses
    /// the adapter.
    package mutating func next() -> Ticket? {
        guard current == nil else { return nil }
        while let ticket = urgent.popFirst() ?? normal.popFirst() {
            guard waiting.remove(ticket) != nil else { continue }
            current = ticket
            return ticket
        }
        return nil
    }

    /// Ends the turn of a request, so that the next request can use the adapter; or cancels a waiting request.
    package mutating func finish(_ ticket: Ticket) {
        if current == ticket { current = nil } else { waiting.remove(ticket) }
    }
}
