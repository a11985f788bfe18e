/// A task that prefers the loop as its executor (`withTaskExecutorPreference`) enters and leaves the actors on it
/// without a detour. Every other one is queued anew wherever it could change threads, which it does on the way into
/// `withCheckedContinuation` too: what was looked at before has to be looked at again inside, and cancellation with it.
extension EventLoop: TaskExecutor {}

extension EventLoop {
    /// Waits until ``now`` has reached a time; returns at once if it has.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func sleep(until time: Duration) async throws(CancellationError) {
        guard await Sleeper(loop: self).sleep(until: time) else { throw CancellationError() }
    }
}

/// Brings a sleep onto the loop's thread, whatever thread its task runs on.
private actor Sleeper {
    private let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    /// Whether the time has come; false if the task was cancelled before.
    func sleep(until time: Duration) async -> Bool {
        let limit = time - EventLoop.now
        guard limit > .zero else { return !Task.isCancelled }
        let isOver: () -> Bool = { EventLoop.now >= time }
        return await Waiters(on: loop).wait(upTo: limit, until: isOver) || isOver()
    }
}
