import Glibc

extension EventLoop {
    /// Enqueues a job of an actor on the loop; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// The loop as an executor, for an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Whether the calling thread is the loop's; called by the runtime, so that `assumeIsolated` works in handlers.
    public func isIsolatingCurrentContext() -> Bool? {
        inbox.isOnLoopThread
    }

    /// Stops the process if the calling thread is not the loop's; called by the runtime.
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
