/// Calls a handler once at a moment, unless cancelled before; belongs to the loop's thread.
public final class LoopTimer {
    /// When it is due, on the loop's monotonic clock.
    let deadline: Duration
    /// Where it stands in the queue's heap; nil once it has left.
    var position: Int?
    /// Which of two timers with one deadline was scheduled first.
    let sequence: UInt64
    private var handler: (() -> Void)?
    private weak var queue: TimerQueue?

    init(deadline: Duration, sequence: UInt64, queue: TimerQueue, handler: @escaping () -> Void) {
        self.deadline = deadline
        self.sequence = sequence
        self.queue = queue
        self.handler = handler
    }

    /// Whether it is still going to fire.
    public var isPending: Bool { handler != nil }

    /// Takes the timer back. Does nothing if it has fired or was cancelled.
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
