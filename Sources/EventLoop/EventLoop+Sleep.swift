/// A task that prefers the loop as its executor (`withTaskExecutorPreference`) enters and leaves actors on the loop
/// without a thread change. Any other task is queued again wherever it could change threads, including the entry into
/// `withCheckedContinuation`. So conditions and cancellation that were checked before the entry have to be checked
/// again inside.
extension EventLoop: TaskExecutor {}

extension EventLoop {
    /// Waits until ``now`` has reached a time; returns immediately if the time has passed.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func sleep(until time: Duration) async throws(CancellationError) {
        guard await Sleeper(loop: self).sleep(until: time) else { throw CancellationError() }
    }
}

/// Runs a sleep on the loop's thread, whatever thread its task uses.
private actor Sleeper {
    private let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    /// Returns whether the time was reached; false if the task was canceled first.
    func sleep(until time: Duration) async -> Bool {
        let limit = time - EventLoop.now
        guard limit > .zero else { return !Task.isCancelled }
        let isOver: () -> Bool = { EventLoop.now >= time }
        return await Waiters(on: loop).wait(upTo: limit, until: isOver) || isOver()
    }
}
