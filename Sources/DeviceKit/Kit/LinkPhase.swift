/// Where a machine stands with its link.
public enum LinkPhase: Hashable, Sendable {
    /// There is no link.
    case offline
    /// The link is up; the device is made ready.
    case handshake
    /// The device takes commands.
    case online
    /// The link is being closed, in good order or because the device cannot be used.
    case closing
}
