/// How a program leases the adapters that it uses.
public struct LeaseSettings: Sendable {
    /// The bridge's id, shown to other programs that wait for an adapter: letters, digits, `_` and `-`.
    public var bridge: String
    /// The process that gets this program's adapters when this program dies; nil if there is none.
    public var successor: (any LeaseSuccessor)?

    /// Creates lease settings.
    public init(bridge: String, successor: (any LeaseSuccessor)? = nil) {
        self.bridge = bridge
        self.successor = successor
    }
}

/// A process that queues for the adapters' names behind this program, on its own D-Bus connection. When this program
/// dies, the process owns the names, and other bridges wait until it has exited too.
public protocol LeaseSuccessor: Sendable {
    /// Makes the process queue for a name that this program owns.
    ///
    /// - Parameter sign: The additional name that identifies the process. The process owns this name immediately.
    /// - Returns: Whether the process has joined the queue. Returns within a bounded time.
    func queue(for name: String, sign: String) async -> Bool

    /// Makes the process leave the queue for a name, or release the name. Returns after the process has left, or after
    /// a bounded time.
    func leave(_ name: String) async
}
