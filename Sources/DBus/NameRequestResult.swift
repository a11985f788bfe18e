/// The result of a request for a bus name.
public enum NameRequestResult: UInt32, Sendable, Hashable {
    /// This connection owns the name.
    case primaryOwner = 1
    /// Another connection owns the name; this connection is in the queue.
    case inQueue = 2
    /// Another connection owns the name, and this connection is not in the queue.
    case exists = 3
    /// This connection already owned the name.
    case alreadyOwner = 4
}
