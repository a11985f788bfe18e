/// Lets tasks wait until a condition holds; belongs to the loop's thread.
///
/// The code that changes what conditions look at calls ``check()`` afterwards.
public final class Waiters {
    private final class Waiter {
        let condition: () -> Bool
        var timer: LoopTimer?
        var continuation: CheckedContinuation<Bool, Never>?

        init(_ condition: @escaping () -> Bool) { self.condition = condition }
    }

    private let loop: EventLoop
    /// In the order in which they began to wait.
    private var waiters: [Waiter] = []

    /// Makes a list without tasks.
    public init(on loop: EventLoop) { self.loop = loop }

    /// Whether no task waits.
    public var isEmpty: Bool { waiters.isEmpty }

    /// Waits until a condition holds; to be called by an actor on the loop.
    ///
    /// - Parameters:
    ///   - limit: For how long; nil for ever.
    ///   - isCancellable: Whether the cancellation of the task ends the wait.
    ///   - condition: Asked now, and at each ``check()``.
    /// - Returns: Whether it held; false if the time was over, or the task cancelled, before.
    public func wait(
        upTo limit: Duration? = nil, isCancellable: Bool = true,
        isolation: isolated any Actor = #isolation, until condition: @escaping () -> Bool
    ) async -> Bool {
        loop.preconditionIsolated()
        if condition() { return true }
        // Neither leaves the thread: the handler below hands both to the loop untouched.
        nonisolated(unsafe) let (this, waiter) = (self, Waiter(condition))
        let loop = loop
        return await withTaskCancellationHandler {
            // A closure runs on the actor that it captures.
            _ = isolation
            return await withCheckedContinuation { continuation in
                // What is awaited on the way here may have let changes pass, and the cancellation too.
                guard !isCancellable || !Task.isCancelled else {
                    return continuation.resume(returning: false)
                }
                guard !waiter.condition() else { return continuation.resume(returning: true) }
                waiter.continuation = continuation
                waiter.timer = limit.map { loop.schedule(after: $0) { this.end(waiter, false) } }
                this.waiters.append(waiter)
            }
        } onCancel: {
            guard isCancellable else { return }
            loop.execute { this.end(waiter, false) }
        }
    }

    /// Asks all conditions anew, and lets the tasks go on whose condition holds.
    public func check() {
        for waiter in waiters where waiter.condition() { end(waiter, true) }
    }

    private func end(_ waiter: Waiter, _ isMet: Bool) {
        guard let continuation = waiter.continuation else { return }
        waiter.continuation = nil
        waiter.timer?.cancel()
        if let place = waiters.firstIndex(where: { $0 === waiter }) { waiters.remove(at: place) }
        continuation.resume(returning: isMet)
    }
}
