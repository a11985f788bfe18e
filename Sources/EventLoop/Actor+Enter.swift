extension Actor {
    /// Runs a function inside an actor that runs on this thread's loop, with an argument.
    ///
    /// Like `assumeIsolated`, but without allocations, for calls that every message makes. A closure for
    /// `assumeIsolated` captures its values, which costs two heap allocations for each call. `body` captures nothing.
    ///
    /// - Parameters:
    ///   - argument: The argument. It does not leave the thread, so it does not need to be sendable.
    ///   - body: The function to run.
    @inlinable @inline(__always)
    public nonisolated func enter<Argument, Result>(
        with argument: Argument, _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        preconditionIsolated()
        // The cast is safe: isolation is only part of the function's type, and the calling convention is the same.
        // `assumeIsolated` uses the same cast.
        typealias Plain = (Self, Argument) -> Result
        return unsafeBitCast(body, to: Plain.self)(self, argument)
    }
}
