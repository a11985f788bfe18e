import EventLoop

/// Calls handlers inside an actor on the connection's loop, without retaining the actor.
final class OwnerEntry<Owner: Actor>: Sendable {
    private weak let owner: Owner?

    /// Must be created on the loop's thread; an actor with another executor stops the process.
    init(_ owner: Owner) {
        owner.preconditionIsolated("An actor whose handlers are called on the event loop must run on it")
        self.owner = owner
    }

    /// Calls a handler with the actor and an argument; on the loop's thread only.
    func enter<Argument>(
        _ argument: Argument, _ handler: @escaping @Sendable (isolated Owner, Argument) -> Void
    ) {
        owner?.enter(with: argument, handler)
    }
}
