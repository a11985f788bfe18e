/// Feels in every round of a loop whether it comes in time; belongs to the loop's thread.
final class Pulse {
    private static let period = Duration.milliseconds(100)

    private var punctuality: Punctuality
    private let handler: (Disturbance) -> Void
    private unowned let loop: EventLoop
    private var timer: LoopTimer?

    init(limit: Duration, loop: EventLoop, handler: @escaping (Disturbance) -> Void) {
        punctuality = Punctuality(limit: limit)
        self.loop = loop
        self.handler = handler
    }

    /// Whether the loop wakes up by itself, only to be able to be late.
    var isBeating = false {
        didSet {
            guard isBeating != oldValue else { return }
            timer?.cancel()
            if isBeating { beat() } else { punctuality.expect(by: nil) }
        }
    }

    /// Called when the loop's wait is over, before anything that waited is done.
    func feel() {
        if let disturbance = punctuality.check(at: EventLoop.now, awake: EventLoop.awakeNow) {
            handler(disturbance)
        }
    }

    private func beat() {
        punctuality.expect(by: EventLoop.now + Self.period)
        timer = loop.schedule(after: Self.period) { [weak self] in
            guard let self else { return }
            self.timer = nil
            // Who stood still in the middle of a round comes here before the next wait is over.
            self.feel()
            if self.isBeating, self.timer == nil { self.beat() }
        }
    }
}

extension EventLoop {
    /// Calls a handler whenever the machine has slept, or the loop was kept from its work for longer than a limit:
    /// before anything that came meanwhile is looked at, and before any timer. On the loop's thread only; a second
    /// handler takes the place of the first.
    ///
    /// Lateness is noticed while ``setPulse(_:)`` says so.
    public func onDisturbance(limit: Duration, handler: @escaping (Disturbance) -> Void) {
        preconditionIsolated()
        pulse?.isBeating = false
        pulse = Pulse(limit: limit, loop: self, handler: handler)
    }

    /// Notices lateness now, and not only at the beginning of the next round: for who is about to act on something that
    /// may have waited while the process stood still in the middle of this one. On the loop's thread only.
    public func feelPulse() {
        preconditionIsolated()
        pulse?.feel()
    }

    /// Says whether lateness is to be noticed: then the loop wakes up ten times a second. On its thread only.
    public func setPulse(_ isBeating: Bool) {
        preconditionIsolated()
        pulse?.isBeating = isBeating
    }
}
