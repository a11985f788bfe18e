/// Calls a handler once at a given time, unless canceled; belongs to the loop's thread.
public final class LoopTimer {
    /// The time at which the timer fires, on the loop's clock.
    let deadline: Duration
    /// The position in the queue's heap; nil after it has left the queue.
    var position: Int?
    /// The number of the timer in the order of scheduling, which decides between timers with the same deadline.
    let sequence: UInt64
    private var handler: (() -> Void)?
    private weak var queue: TimerQueue?

    init(deadline: Duration, sequence: UInt64, queue: TimerQueue, handler: @escaping () -> Void) {
        self.deadline = deadline
        self.sequence = sequence
        self.queue = queue
        self.handler = handler
    }

    /// Whether the timer has neither fired nor been canceled.
    public var isPending: Bool { handler != nil }

    /// Cancels the timer. Does nothing if it has fired or was already canceled.
    public func cancel() {
        handler = nil
        queue?.remove(self)
    }

    func fire() {
        let handler = self.handler
        self.handler = nil
        handler?()
    }

    func isBefore(_ other: LoopTimer) -> Bool {
        deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
    }
}
