/// A task that prefers the loop as its executor (`withTaskExecutorPreference`) enters and leaves the actors on it
/// without a detour. Every other one is queued anew wherever it could change threads, which it does on the way into
/// `withCheckedContinuation` too: what was looked at before has to be looked at again inside, and cancellation with it.
extension EventLoop: TaskExecutor {}

extension EventLoop {
    /// Waits until ``now`` has reached a time; returns at once if it has.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func sleep(until time: Duration) async throws(CancellationError) {
        let sleeper = Sleeper(loop: self)
        let isDone = await withTaskCancellationHandler {
            await sleeper.sleep(until: time)
        } onCancel: {
            execute { sleeper.assumeIsolated { $0.end(isDone: false) } }
        }
        guard isDone else { throw CancellationError() }
    }
}

/// One sleep on a loop's timer, which a cancellation may end.
private actor Sleeper {
    private let loop: EventLoop
    private var isCancelled = false
    private var timer: LoopTimer?
    private var continuation: CheckedContinuation<Bool, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    /// Whether the time has come; false if the sleep was ended before.
    func sleep(until time: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            guard !isCancelled else { return continuation.resume(returning: false) }
            self.continuation = continuation
            timer = loop.schedule(after: time - EventLoop.now) { [weak self] in
                self?.assumeIsolated { $0.end(isDone: true) }
            }
        }
    }

    func end(isDone: Bool) {
        isCancelled = true
        timer?.cancel()
        continuation?.resume(returning: isDone)
        continuation = nil
    }
}
