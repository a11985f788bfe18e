/// Checks for stalls in every round of a loop; belongs to the loop's thread.
final class StallMonitor {
    private static let period = Duration.milliseconds(100)

    private var detector: StallDetector
    private let handler: (EventLoop.Stall) -> Void
    private unowned let loop: EventLoop
    private var timer: LoopTimer?

    init(limit: Duration, loop: EventLoop, handler: @escaping (EventLoop.Stall) -> Void) {
        detector = StallDetector(limit: limit)
        self.loop = loop
        self.handler = handler
    }

    /// Whether the loop wakes up periodically, so that delays are detected.
    var isActive = false {
        didSet {
            guard isActive != oldValue else { return }
            timer?.cancel()
            if isActive { schedule() } else { detector.expect(by: nil) }
        }
    }

    /// Called after the loop's wait, before any handler runs.
    func check() {
        if let stall = detector.check(at: EventLoop.now, awake: EventLoop.awakeNow) { handler(stall) }
    }

    private func schedule() {
        detector.expect(by: EventLoop.now + Self.period)
        timer = loop.schedule(after: Self.period) { [weak self] in
            guard let self else { return }
            self.timer = nil
            // If the loop was blocked within this round, this check detects the stall earlier than the check after the
            // next wait.
            self.check()
            if self.isActive, self.timer == nil { self.schedule() }
        }
    }
}

extension EventLoop {
    /// A time during which a loop could not run.
    public enum Stall: Hashable, Sendable {
        /// The loop was late by this time: the process was stopped or starved, or a handler blocked the loop.
        case late(Duration)
        /// The machine was suspended for this time.
        case suspended(Duration)
    }

    /// Sets the handler of stalls: a suspend of the machine, or a delay of the loop above a limit. It is called before
    /// any handler of the events that arrived during the stall, and before any timer. Must be called on the loop's
    /// thread; replaces an earlier handler.
    ///
    /// Delays are detected only while ``detectsStalls`` is true, suspends always.
    public func onStall(limit: Duration, handler: @escaping (EventLoop.Stall) -> Void) {
        preconditionIsolated()
        stallMonitor?.isActive = false
        stallMonitor = StallMonitor(limit: limit, loop: self, handler: handler)
    }

    /// Checks for a stall immediately, not only at the start of the next round. Call it before acting on received data:
    /// the process may have been stopped in this round while the data waited. Must be called on the loop's thread.
    public func checkForStall() {
        preconditionIsolated()
        stallMonitor?.check()
    }

    /// Whether delays are detected. If true, the loop wakes up ten times a second. Must be used on the loop's thread.
    public var detectsStalls: Bool {
        get {
            preconditionIsolated()
            return stallMonitor?.isActive ?? false
        }
        set {
            preconditionIsolated()
            stallMonitor?.isActive = newValue
        }
    }
}
