import Glibc

extension EventLoop {
    /// Runs blocking work on a short-lived thread, then passes its result to the loop.
    ///
    /// For C calls without a nonblocking variant, such as name resolution. The work cannot be interrupted; a caller
    /// that stops waiting ignores the result.
    ///
    /// - Throws: `EventLoopError` if the system provides no thread; then neither closure is called.
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
