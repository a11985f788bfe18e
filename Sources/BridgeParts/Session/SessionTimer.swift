package import DeviceKit

package enum SessionTimer: Hashable, Sendable {
    /// A timer of the device's state machine.
    case machine(TimerName)
    /// The motion gate is called.
    case gate
    /// The decision whether to connect is due.
    case proceed
    /// Commands without an answer of the state machine are overdue.
    case answers
    /// The time for closing the session cleanly is over.
    case closing
    /// The time for retained claims of other bridges is over, if no marker proves that all have arrived.
    case ownership
    /// No other bridge has taken over the device's topics in time.
    case ownershipDeadline
    /// The wait of the host choice is over: this bridge may connect.
    case choice
    /// The claim may report the device's activity again.
    case intent
    /// No other bridge has connected to a disconnected device in time.
    case absence
    /// The time for a read that proves the link is over.
    case proof
    /// This bridge may publish all states again.
    case contest
    /// The time for a retained emergency stop is over.
    case recall
    /// The time for writing a stop of everything is over.
    case halt
    /// The time for the last writes before a disconnect by request is over.
    case parting
    /// The time for a requested connection is over.
    case arrival
}

extension TimerSet<SessionTimer> {
    /// Cancels all timers of the device's state machine.
    package mutating func cancelMachine() {
        cancel { if case .machine = $0 { true } else { false } }
    }
}
