extension Actor {
    /// Enters an actor that runs on this thread's loop, with what has come for it.
    ///
    /// As `assumeIsolated`, whose closure captures what it passes on: that is allocated on the heap, twice, for each call.
    /// This closure captures nothing, for calls that each message makes.
    ///
    /// - Parameters:
    ///   - argument: What has come. It does not leave the thread, so it need not be sendable.
    ///   - body: What the actor does with it.
    @inlinable @inline(__always)
    public nonisolated func enter<Argument, Result>(
        with argument: Argument, _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        preconditionIsolated()
        // The isolation is a type's matter alone: how the function is called does not differ. `assumeIsolated` does the same.
        typealias Plain = (Self, Argument) -> Result
        return unsafeBitCast(body, to: Plain.self)(self, argument)
    }
}
