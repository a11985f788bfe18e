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

    /// Whether the loop wakes up by itself, only to be able to be late.
    var isActive = false {
        didSet {
            guard isActive != oldValue else { return }
            timer?.cancel()
            if isActive { schedule() } else { detector.expect(by: nil) }
        }
    }

    /// Called when the loop's wait is over, before anything that waited is done.
    func check() {
        if let stall = detector.check(at: EventLoop.now, awake: EventLoop.awakeNow) { handler(stall) }
    }

    private func schedule() {
        detector.expect(by: EventLoop.now + Self.period)
        timer = loop.schedule(after: Self.period) { [weak self] in
            guard let self else { return }
            self.timer = nil
            // A stall in the middle of a round is noticed here, before the next wait is over.
            self.check()
            if self.isActive, self.timer == nil { self.schedule() }
        }
    }
}

extension EventLoop {
    /// A time in which a loop was kept from its work.
    public enum Stall: Hashable, Sendable {
        /// The loop came too late by so much: the process was stopped or starved, or a handler blocked the loop.
        case late(Duration)
        /// The machine slept for so long.
        case suspended(Duration)
    }

    /// Calls a handler for each stall: the machine has slept, or the loop was kept from its work for longer than a
    /// limit. The handler is called before anything that came meanwhile is looked at, and before any timer. On the
    /// loop's thread only; a second handler takes the place of the first.
    ///
    /// Lateness is noticed while ``detectsStalls`` is true, a sleep of the machine always.
    public func onStall(limit: Duration, handler: @escaping (EventLoop.Stall) -> Void) {
        preconditionIsolated()
        stallMonitor?.isActive = false
        stallMonitor = StallMonitor(limit: limit, loop: self, handler: handler)
    }

    /// Checks for a stall now, and not only at the beginning of the next round: for code that is about to act on
    /// something that may have waited while the process stood still in the middle of this one. On the loop's thread
    /// only.
    public func checkForStall() {
        preconditionIsolated()
        stallMonitor?.check()
    }

    /// Whether lateness is noticed: then the loop wakes up ten times a second. On its thread only.
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
