/// Decides when to start and to stop discovery on one adapter. A pure state machine: at most one call is in flight, and
/// changes of the target are carried out after that call.
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
        /// Call ``DiscoveryControl/timerFired()`` after a delay; replaces a running timer.
        case startTimer
        case cancelTimer
    }

    package private(set) var state = State.idle
    /// Whether discovery should run: it is requested, and the adapter is on and not connecting.
    package private(set) var isWanted = false
    /// Whether the next start uses the second of two filters, which pass the same advertisements.
    ///
    /// After a stop that the kernel refused, bluetoothd still reports `Discovering`. It then accepts a start with the
    /// same filter without any action (`update_discovery_filter` of src/adapter.c, BlueZ 5.66 and of August 2026). A
    /// different filter makes bluetoothd call the kernel again.
    package private(set) var usesSecondFilter = false
    private var isTimerRunning = false

    package init() {}

    /// Whether discovery is stopped and no call is in flight.
    package var isQuiet: Bool { state == .idle }

    package mutating func want(_ wanted: Bool) -> [Action] {
        guard wanted != isWanted else { return [] }
        isWanted = wanted
        return stopTimer() + step()
    }

    /// Handles the answer to `StartDiscovery`. If bluetoothd does not report `Discovering` soon after a successful
    /// call, discovery is restarted.
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

    /// Restarts running discovery. Until a restart, the controller may not report devices again that it has already
    /// reported.
    package mutating func renew() -> [Action] {
        guard state == .running, isWanted else { return [] }
        state = .stopping
        return stopTimer() + [.stop]
    }

    /// Handles the answer to `StopDiscovery`. Even after an error (`NotReady`, `InProgress`, `No discovery started`)
    /// bluetoothd no longer discovers for this program.
    ///
    /// - Parameter isRefused: Whether the kernel did not stop discovery (bluetoothd answers `InProgress`), or may not
    ///   have stopped it.
    package mutating func stopped(isRefused: Bool) -> [Action] {
        guard state == .stopping else { return [] }
        if isRefused { usesSecondFilter.toggle() }
        state = .idle
        return step()
    }

    /// Restarts discovery with the other filter after a long time without advertisements.
    package mutating func silent() -> [Action] {
        let actions = renew()
        if !actions.isEmpty { usesSecondFilter.toggle() }
        return actions
    }

    /// Handles a change of BlueZ's property `Discovering`. BlueZ pauses discovery at times; if a pause lasts too long,
    /// discovery is restarted.
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

    /// Resets the state after the adapter or bluetoothd was lost.
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
