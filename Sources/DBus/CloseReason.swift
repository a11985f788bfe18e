/// Says how a connection ended.
public enum CloseReason: Sendable, Hashable {
    /// This side closed it.
    case closed
    /// The bus ended it, or the line to the bus broke.
    case lost
}
