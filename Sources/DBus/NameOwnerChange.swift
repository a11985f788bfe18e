/// Tells that a bus name has got an owner, has lost it, or has passed to another.
public struct NameOwnerChange: Sendable, Hashable {
    /// The name; a unique name when its connection comes or goes.
    public let name: String
    /// The unique name that had it; nil if it had no owner.
    public let oldOwner: String?
    /// The unique name that has it now; nil if it has no owner.
    public let newOwner: String?
}
