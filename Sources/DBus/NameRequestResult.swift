/// Says what became of the request for a bus name.
public enum NameRequestResult: UInt32, Sendable, Hashable {
    /// The name is ours.
    case primaryOwner = 1
    /// Another has it, and we get it afterwards.
    case inQueue = 2
    /// Another has it and keeps it.
    case exists = 3
    /// It was ours already.
    case alreadyOwner = 4
}
