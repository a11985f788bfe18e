import EventLoop

/// Lets handlers enter an actor that runs on the connection's loop, without keeping it alive.
final class OwnerEntry<Owner: Actor>: Sendable {
    private weak let owner: Owner?

    /// To be made on the loop's thread; an actor that runs elsewhere ends the process.
    init(_ owner: Owner) {
        owner.preconditionIsolated("An actor whose handlers are called on the event loop must run on it")
        self.owner = owner
    }

    /// Calls a handler with the actor and what has come; on the loop's thread only.
    func enter<Argument>(
        _ argument: Argument, _ handler: @escaping @Sendable (isolated Owner, Argument) -> Void
    ) {
        owner?.enter(with: argument, handler)
    }
}
