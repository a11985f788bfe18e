import Glibc

extension EventLoop {
    /// Enqueues a job of an actor on the loop; called by the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// The loop as an executor, for an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Returns whether the calling thread is the loop's. The Swift runtime calls this method for `assumeIsolated`.
    public func isIsolatingCurrentContext() -> Bool? {
        inbox.isOnLoopThread
    }

    /// Stops the process if the calling thread is not the loop's; called by the Swift runtime.
    public func checkIsolated() {
        preconditionIsolated()
    }

    /// Whether the calling thread is the loop's.
    public var isIsolated: Bool { inbox.isOnLoopThread }

    /// Stops the process if the calling thread is not the loop's.
    public func preconditionIsolated() {
        precondition(inbox.isOnLoopThread, "Not on the thread of the event loop \(name)")
    }
}
