import Glibc

extension EventLoop {
    /// Runs work that may block on a short-lived thread of its own, then hands its result to the loop.
    ///
    /// For the few calls of C libraries that have no other form, such as resolving a name. The work
    /// cannot be interrupted; a caller that does not want to wait longer ignores the result.
    ///
    /// - Throws: `EventLoopError` if the system gives no thread; neither closure is called then.
    public func offload<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then finish: @escaping @Sendable (Result) -> Void
    ) throws(EventLoopError) {
        let thread = try LoopThread.spawn(name: "offload") {
            let result = work()
            self.execute { finish(result) }
        }
        pthread_detach(thread)
    }
}
