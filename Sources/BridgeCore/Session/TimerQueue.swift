package import DeviceKit

/// The timers of a session: when each runs out, and which come next.
package struct TimerQueue: Sendable {
    /// What a timer is for.
    package enum Key: Hashable, Sendable {
        /// One that the device's state machine started.
        case machine(TimerName)
        /// Time is told to the motion gate.
        case gate
        /// Look again whether to connect.
        case proceed
        /// A command that the state machine did not answer.
        case command(CommandID)
        /// The end of a device's time to close in good order.
        case closing
        /// The end of the time in which stored claims of other bridges arrive, where nothing proves that all have.
        case voice
        /// The end of the time in which a read has to prove the link.
        case proof
        /// It may be said again that this bridge speaks for the device.
        case contest
        /// The end of the time in which a stored emergency stop arrives.
        case recall
        /// The end of the time in which a stop of everything has to be written.
        case halt
        /// The end of a device's time for its last words before a disconnect by request.
        case parting
        /// The end of the time in which a device that was asked to come has to be online.
        case arrival
    }

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

    /// Makes a queue without timers.
    package init() {}

    /// When the next timer runs out.
    package var next: Duration? { entries.values.lazy.map(\.deadline).min() }

    package mutating func start(_ key: Key, at deadline: Duration) {
        count += 1
        entries[key] = Entry(deadline: deadline, number: count)
    }

    package mutating func cancel(_ key: Key) { entries[key] = nil }

    /// Stops all timers of the device's state machine.
    package mutating func cancelMachine() {
        entries = entries.filter { entry in
            if case .machine = entry.key { false } else { true }
        }
    }

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
