extension Actor {
    /// Runs a function inside an actor that runs on this thread's loop, with an argument.
    ///
    /// Like `assumeIsolated`, but without allocations: the closure of `assumeIsolated` captures its values, which are
    /// allocated on the heap, twice for each call. This closure captures nothing, for calls that every message makes.
    ///
    /// - Parameters:
    ///   - argument: The argument. It does not leave the thread, so it does not need to be sendable.
    ///   - body: The function to run.
    @inlinable @inline(__always)
    public nonisolated func enter<Argument, Result>(
        with argument: Argument, _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        preconditionIsolated()
        // Isolation is only part of the type: the calling convention is the same. `assumeIsolated` uses the same cast.
        typealias Plain = (Self, Argument) -> Result
        return unsafeBitCast(body, to: Plain.self)(self, argument)
    }
}
