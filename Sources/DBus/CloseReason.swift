/// How a connection ended.
public enum CloseReason: Sendable, Hashable {
    /// This side closed it.
    case closed
    /// The bus closed the connection, or the connection to it was lost.
    case lost
}
