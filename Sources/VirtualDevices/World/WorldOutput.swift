public import Bluetooth

/// Something that the server of a ``World`` must carry out.
public enum WorldOutput: Hashable, Sendable {
    /// Answer the read or write that was handed in under this number.
    case answer(request: Int, Answer)
    /// Send a notification; the client is connected and subscribed.
    case notify(device: String, CharacteristicID, [UInt8])
    /// Begin or cease to advertise; when it begins, what is advertised may have changed.
    case advertise(device: String, Bool)
    /// Close the link as a device does that ends the connection itself.
    case disconnect(device: String)
    /// Lose the link as if its supervision timed out.
    case drop(device: String)
    /// Be out of reach, or back: not heard, not connectable, and an open link times out.
    case mute(device: String, Bool)
    /// Be elsewhere: the hosts that are named hear the device so from now on.
    case move(device: String, [Placement])
    /// Report it in the simulator's output.
    case report(Report)
}

/// A device's answer to a read or a write.
public enum Answer: Hashable, Sendable {
    /// The value that was read.
    case value([UInt8])
    /// The write is accepted.
    case written
    /// The request is refused: an ATT error code (Core Specification, Vol 3, Part F, 3.4.1.1).
    case refused(UInt8)
}
