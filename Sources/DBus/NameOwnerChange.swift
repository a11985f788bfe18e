/// A change of a bus name's owner.
public struct NameOwnerChange: Sendable, Hashable {
    /// The name; a unique name if its connection was opened or closed.
    public let name: String
    /// The unique name of the previous owner; nil if there was none.
    public let oldOwner: String?
    /// The unique name of the new owner; nil if there is none.
    public let newOwner: String?
}
