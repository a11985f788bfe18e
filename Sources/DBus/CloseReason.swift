/// How a connection ended.
public enum CloseReason: Sendable, Hashable {
    /// This process closed the connection.
    case closed
    /// The bus closed the connection, or the connection to the bus was lost.
    case lost
}
