import BridgeContract

/// The timers of a session, behind one call of the clock.
struct SessionClock {
    private var timers = TimerQueue()
    private var alarm = Alarm()

    /// Starts a timer, or moves it.
    ///
    /// - Parameter call: Called when the next timer runs out; it calls ``due(at:)``.
    mutating func start(
        _ timer: SessionTimer, at deadline: Duration, on time: any TimeSource,
        _ call: @escaping @Sendable () -> Void
    ) {
        timers.start(timer, at: deadline)
        alarm.set(by: deadline, on: time, call)
    }

    /// Whether a timer runs.
    func runs(_ timer: SessionTimer) -> Bool { timers.deadline(timer) != nil }

    mutating func cancel(_ timer: SessionTimer) { timers.cancel(timer) }

    mutating func cancelMachine() { timers.cancelMachine() }

    /// The clock has called: the timers that have run out, each to be taken before it is acted upon.
    mutating func due(at now: Duration) -> [TimerQueue.Ticket] {
        alarm.rang()
        return timers.due(at: now)
    }

    /// Takes a timer that has run out; false if it was stopped or moved since.
    mutating func take(_ ticket: TimerQueue.Ticket) -> Bool { timers.take(ticket) }

    /// Has the clock call for the next timer.
    mutating func arm(on time: any TimeSource, _ call: @escaping @Sendable () -> Void) {
        if let next = timers.next { alarm.set(by: next, on: time, call) }
    }

    /// Takes the call of the clock back.
    mutating func stop() { alarm.cancel() }
}
