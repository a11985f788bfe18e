package import DeviceKit

/// The timers of a session. Each case states what happens when its timer expires, or which wait is over.
package enum SessionTimer: Hashable, Sendable {
    /// A timer of the device's state machine.
    case machine(TimerName)
    /// The motion gate, which decides whether the device may move, checks its deadlines.
    case gate
    /// It is time to decide again whether to connect to the device.
    case proceed
    /// Commands without an answer of the state machine are overdue.
    case answers
    /// The time for closing the session cleanly is over.
    case closing
    /// The wait for retained claims of other bridges is over, although no marker proves that all claims have arrived.
    case ownership
    /// No other bridge has taken over the device's topics in time, so this bridge takes them over.
    case ownershipDeadline
    /// The wait for an offer of a host with a stronger signal is over: this bridge may connect (``HostChoice``).
    case choice
    /// The minimum time between two claims is over: this bridge's claim may report a change of the device's activity
    /// again.
    case intent
    /// It is time to check again whether another host receives the device better (``BestHost``).
    case move
    /// No other bridge has connected to a disconnected device in time, so the device is reported as offline.
    case absence
    /// The time for a read that proves the link is over.
    case proof
    /// After another bridge has overwritten the states, this bridge may now publish all states again.
    case contest
    /// The wait for a retained emergency stop is over.
    case recall
    /// The time for the writes of a requested stop is over.
    case halt
    /// The time for the last writes before a disconnect by request is over.
    case parting
    /// The time within which a requested connection must succeed is over.
    case arrival
    /// It is time to check whether a device that only advertises has been silent, or no visit has reached a device, for
    /// too long.
    case silence
}

extension TimerSet<SessionTimer> {
    /// Cancels all timers of the device's state machine.
    package mutating func cancelMachine() {
        cancel { if case .machine = $0 { true } else { false } }
    }
}
