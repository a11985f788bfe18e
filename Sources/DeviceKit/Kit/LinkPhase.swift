/// The phases of a device's link that a state machine distinguishes.
public enum LinkPhase: Hashable, Sendable {
    /// There is no link.
    case offline
    /// The link is up, and the handshake is in progress.
    case handshake
    /// The device accepts commands.
    case online
    /// The link is being closed, cleanly or because the device cannot be used.
    case closing
}
