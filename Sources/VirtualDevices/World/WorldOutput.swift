public import Bluetooth

/// An output of a ``World`` that its server must carry out.
public enum WorldOutput: Hashable, Sendable {
    /// Answer the read or write with this number.
    case answer(request: Int, Answer)
    /// Send a notification. The client is connected and subscribed.
    case notify(device: String, CharacteristicID, [UInt8])
    /// Start or stop advertising. At the start, the advertisement may have changed.
    case advertise(device: String, Bool)
    /// Disconnect from the device's side.
    case disconnect(device: String)
    /// Lose the connection, as after a supervision timeout.
    case drop(device: String)
    /// Go out of range or come back in range. A device out of range is not received and not connectable, and an open
    /// connection times out.
    case mute(device: String, Bool)
    /// Move the device: the named hosts receive it with other signal strengths from now on.
    case move(device: String, [Placement])
    /// Write the report to the simulator's output.
    case report(Report)

    var isReport: Bool { if case .report = self { true } else { false } }
}

/// A device's answer to a read or a write.
public enum Answer: Hashable, Sendable {
    /// The value for a read.
    case value([UInt8])
    /// The write was accepted.
    case written
    /// The request was rejected with an ATT error code (Core Specification, Vol 3, Part F, 3.4.1.1).
    case refused(UInt8)
}
