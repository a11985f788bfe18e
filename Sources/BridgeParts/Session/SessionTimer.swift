package import DeviceKit

package enum SessionTimer: Hashable, Sendable {
    /// One that the device's state machine started.
    case machine(TimerName)
    /// Time is told to the motion gate.
    case gate
    /// Look again whether to connect.
    case proceed
    /// Commands that the state machine did not answer.
    case answers
    /// The end of a device's time to close in good order.
    case closing
    /// The end of the time in which stored claims of other bridges arrive, where nothing proves that all have.
    case ownership
    /// No other bridge has begun to speak for the device.
    case warden
    /// It may be this bridge that connects.
    case choice
    /// The claim may tell again what the device does.
    case intent
    /// A device that is away is not taken up by another bridge in time.
    case absence
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

extension Clockwork<SessionTimer> {
    /// Stops all timers of the device's state machine.
    package mutating func cancelMachine() {
        cancel { if case .machine = $0 { true } else { false } }
    }
}
