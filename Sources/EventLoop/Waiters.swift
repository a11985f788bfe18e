/// Makes tasks wait until a condition holds; belongs to the loop's thread.
///
/// Code that changes the state behind the conditions calls ``check()`` afterwards.
public final class Waiters {
    private final class Waiter {
        let condition: () -> Bool
        var timer: LoopTimer?
        var continuation: CheckedContinuation<Bool, Never>?

        init(_ condition: @escaping () -> Bool) { self.condition = condition }
    }

    private let loop: EventLoop
    /// The waiting tasks, in the order in which they started to wait.
    private var waiters: [Waiter] = []

    /// Creates an empty list.
    public init(on loop: EventLoop) { self.loop = loop }

    /// Whether no task is waiting.
    public var isEmpty: Bool { waiters.isEmpty }

    /// Waits until a condition holds. Must be called by an actor on the loop.
    ///
    /// - Parameters:
    ///   - limit: The maximum time; nil for no limit.
    ///   - isCancellable: Whether cancellation of the task ends the wait.
    ///   - condition: Evaluated immediately, and at each ``check()``.
    /// - Returns: Whether the condition held; false on a timeout, or if the task was canceled.
    public func wait(
        upTo limit: Duration? = nil, isCancellable: Bool = true,
        isolation: isolated any Actor = #isolation, until condition: @escaping () -> Bool
    ) async -> Bool {
        loop.preconditionIsolated()
        if condition() { return true }
        // This is safe because both values are used only on the loop's thread: the cancellation handler only passes
        // them to the loop.
        nonisolated(unsafe) let (this, waiter) = (self, Waiter(condition))
        let loop = loop
        return await withTaskCancellationHandler {
            // Because the closure captures the actor, it runs isolated to the actor.
            _ = isolation
            return await withCheckedContinuation { continuation in
                // The task may have been suspended since the first check of the condition. So the condition may have
                // changed, and the task may have been canceled.
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

    /// Evaluates all conditions again, and resumes the tasks whose condition holds.
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
