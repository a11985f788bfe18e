/// Decides when to start and to stop discovery on one adapter. A pure state machine: it never has two calls in
/// flight, and what was wanted meanwhile is done when the call in flight has ended.
package struct DiscoveryControl: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case idle
        case starting
        case running
        case stopping
    }

    package enum Action: Hashable, Sendable {
        case start
        case stop
        /// Call ``DiscoveryControl/timerFired()`` after a while; one that runs already is moved.
        case startTimer
        case cancelTimer
    }

    package private(set) var state = State.idle
    /// Whether discovery should run: it was asked for, and the adapter is on and not connecting.
    package private(set) var isWanted = false
    /// Whether the next start uses the second of two filters that let the same through.
    ///
    /// After a stop that the kernel refused, bluetoothd goes on saying that it discovers; a start with the filter that
    /// it has already is granted then, and nothing else is done (`update_discovery_filter` of src/adapter.c, BlueZ 5.66
    /// and of August 2026). With another filter it asks the kernel again.
    package private(set) var usesSecondFilter = false
    private var isTimerRunning = false

    package init() {}

    /// Whether no call is in flight and nothing is running.
    package var isQuiet: Bool { state == .idle }

    package mutating func want(_ wanted: Bool) -> [Action] {
        guard wanted != isWanted else { return [] }
        isWanted = wanted
        return stopTimer() + step()
    }

    /// `StartDiscovery` answered. That alone is not believed, as long as bluetoothd does not say that it discovers.
    package mutating func started(_ succeeded: Bool, isDiscovering: Bool) -> [Action] {
        guard state == .starting else { return [] }
        guard succeeded else {
            state = .idle
            return isWanted ? startTimer() : []
        }
        state = .running
        let actions = step()
        return actions.isEmpty && !isDiscovering ? startTimer() : actions
    }

    /// Starts anew what runs, so that the controller reports devices again that it has reported already.
    package mutating func renew() -> [Action] {
        guard state == .running, isWanted else { return [] }
        state = .stopping
        return stopTimer() + [.stop]
    }

    /// `StopDiscovery` answered. Whether with an error does not matter for this program: it discovers no more
    /// (`NotReady`, `InProgress`, `No discovery started`).
    ///
    /// - Parameter isRefused: Whether the kernel has not stopped, which bluetoothd answers with `InProgress`, or may not
    ///   have.
    package mutating func stopped(isRefused: Bool) -> [Action] {
        guard state == .stopping else { return [] }
        if isRefused { usesSecondFilter.toggle() }
        state = .idle
        return step()
    }

    /// Nothing has been heard for long: what runs is started anew, and in earnest.
    package mutating func silent() -> [Action] {
        let actions = renew()
        if !actions.isEmpty { usesSecondFilter.toggle() }
        return actions
    }

    /// BlueZ's property `Discovering` changed. It pauses by itself at times; a pause that does not end is mended.
    package mutating func discoveringChanged(_ isDiscovering: Bool) -> [Action] {
        guard state == .running else { return [] }
        return isDiscovering ? stopTimer() : startTimer()
    }

    package mutating func timerFired() -> [Action] {
        isTimerRunning = false
        if state == .running {
            state = .stopping
            return [.stop]
        }
        return step()
    }

    /// The adapter, or bluetoothd, is gone and with it whatever ran.
    package mutating func reset() -> [Action] {
        state = .idle
        isWanted = false
        return stopTimer()
    }

    private mutating func step() -> [Action] {
        switch (state, isWanted) {
        case (.idle, true) where !isTimerRunning:
            state = .starting
            return [.start]
        case (.running, false):
            state = .stopping
            return stopTimer() + [.stop]
        default:
            return []
        }
    }

    private mutating func startTimer() -> [Action] {
        isTimerRunning = true
        return [.startTimer]
    }

    private mutating func stopTimer() -> [Action] {
        guard isTimerRunning else { return [] }
        isTimerRunning = false
        return [.cancelTimer]
    }
}
