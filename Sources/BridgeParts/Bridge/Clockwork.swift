package import BridgeContract

/// The timers of the bridge or of a session, behind one call of the clock.
package struct Clockwork<Name: Hashable & Sendable> {
    private var timers = Timers<Name>()
    private var alarm = Alarm()

    package init() {}

    /// When a timer runs out; nil if it does not run.
    package func deadline(_ name: Name) -> Duration? { timers.deadline(name) }

    /// Whether a timer runs.
    package func runs(_ name: Name) -> Bool { timers.deadline(name) != nil }

    /// Starts a timer, or moves it.
    ///
    /// - Parameter call: What the clock calls; it takes what is due with ``rang(at:)``.
    package mutating func start(
        _ name: Name, at deadline: Duration, on time: any TimeSource, _ call: @escaping @Sendable () -> Void
    ) {
        timers.start(name, at: deadline)
        alarm.set(by: deadline, on: time, call)
    }

    package mutating func cancel(_ name: Name) { timers.cancel(name) }

    package mutating func cancel(where isMeant: (Name) -> Bool) { timers.cancel(where: isMeant) }

    /// Notes that the clock has called.
    ///
    /// - Returns: The timers that have run out, each to be taken before it is acted upon.
    package mutating func rang(at now: Duration) -> [Timers<Name>.Ticket] {
        alarm.rang()
        return timers.due(at: now)
    }

    /// Takes a timer that has run out.
    ///
    /// - Returns: False if it was stopped or started anew since: by what an earlier one of the same moment led to.
    package mutating func take(_ ticket: Timers<Name>.Ticket) -> Bool { timers.take(ticket) }

    /// Has the clock call for the next timer.
    package mutating func goOn(on time: any TimeSource, _ call: @escaping @Sendable () -> Void) {
        if let next = timers.next { alarm.set(by: next, on: time, call) }
    }

    /// Has the clock call no more.
    package mutating func end() { alarm.cancel() }
}
