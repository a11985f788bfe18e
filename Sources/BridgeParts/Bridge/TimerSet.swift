package import BridgeContract

/// The timers of the bridge or of a session, driven by a single timer of the clock.
package struct TimerSet<Name: Hashable & Sendable> {
    private var timers = Timers<Name>()
    private var alarm = Alarm()

    package init() {}

    /// When a timer expires; nil if it does not run.
    package func deadline(_ name: Name) -> Duration? { timers.deadline(name) }

    package func runs(_ name: Name) -> Bool { timers.deadline(name) != nil }

    /// Starts a timer, or moves it.
    ///
    /// - Parameter call: Called by the clock. The callback then takes the due timers with ``rang(at:)``.
    package mutating func start(
        _ name: Name, at deadline: Duration, on time: any TimeSource, _ call: @escaping @Sendable () -> Void
    ) {
        timers.start(name, at: deadline)
        alarm.set(by: deadline, on: time, call)
    }

    package mutating func cancel(_ name: Name) { timers.cancel(name) }

    package mutating func cancel(where isMeant: (Name) -> Bool) { timers.cancel(where: isMeant) }

    /// Records that the callback given to ``start(_:at:on:_:)`` was called.
    ///
    /// - Returns: The expired timers. Call ``take(_:)`` for each timer before you act on it.
    package mutating func rang(at now: Duration) -> [Timers<Name>.Ticket] {
        alarm.rang()
        return timers.due(at: now)
    }

    /// Takes an expired timer.
    ///
    /// - Returns: False if the timer has been stopped or restarted since it expired. The action of another timer that
    ///   expired at the same time can do this.
    package mutating func take(_ ticket: Timers<Name>.Ticket) -> Bool { timers.take(ticket) }

    /// Schedules the callback for the next timer that expires.
    package mutating func goOn(on time: any TimeSource, _ call: @escaping @Sendable () -> Void) {
        if let next = timers.next { alarm.set(by: next, on: time, call) }
    }

    /// Cancels the scheduled callback.
    package mutating func end() { alarm.cancel() }
}
