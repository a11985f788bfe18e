/// Says how a program leases the adapters that it uses.
public struct LeaseSettings: Sendable {
    /// The bridge's id, for other programs that wait for an adapter: letters, digits, `_` and `-`.
    public var bridge: String
    /// Which program gets an adapter when this one dies; none if nil.
    public var successor: (any LeaseSuccessor)?

    /// Describes a program.
    public init(bridge: String, successor: (any LeaseSuccessor)? = nil) {
        self.bridge = bridge
        self.successor = successor
    }
}

/// A process that queues for the names of adapters behind this one, on a connection of its own: when this one dies it
/// has them, and a bridge that waits for an adapter waits until it has ended too.
public protocol LeaseSuccessor: Sendable {
    /// Lets it queue for a name that this program owns.
    ///
    /// - Parameter sign: The name by which it tells who it is; its own at once.
    /// - Returns: Whether it does, within a bounded time.
    func queue(for name: String, sign: String) async -> Bool

    /// Lets it leave the queue for a name, or give the name back; returns when it has, or after a bounded time.
    func leave(_ name: String) async
}
