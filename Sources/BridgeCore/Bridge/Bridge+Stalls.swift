import DeviceKit
import Logging

// What the bridge does when it was kept from its work: what moves is stopped, and what piled up is not obeyed.
extension Bridge {
    /// How far the bridge is in leaving what piled up at the broker behind.
    enum Renewal: Sendable {
        /// Nothing piled up.
        case none
        /// The old connection is read for stops.
        case reading
        /// The new connection is being made.
        case connecting
        /// The new connection is being made, and something piled up on it already.
        case again
    }

    func followStalls() {
        world.time.onStall { [weak self] stall in
            self?.assumeIsolated { $0.stalled(stall) }
        }
    }

    /// Notices lateness while something is connected that moves.
    func updateStallDetection() {
        let isWanted = sessions.values.contains { session in
            session.family.requirements.isSafetyCritical && session.link != nil
        }
        guard isWanted != detectsStalls else { return }
        detectsStalls = isWanted
        world.time.detectStalls(isWanted)
    }

    private func stalled(_ stall: Stall) {
        guard !isStopping else { return }
        switch stall {
        case .late(let time):
            logger.warning("the bridge was late", metadata: ["late_ms": "\(time.milliseconds)"])
            stopAll(.late)
        case .suspended(let time):
            logger.warning("the host has slept", metadata: ["slept_s": "\(time.components.seconds)"])
            stopAll(.suspend)
        }
        renew()
    }

    /// Stops every device; those that move take nothing but stops until the broker is connected anew.
    private func stopAll(_ cause: StopCause) {
        for session in sessions.values {
            if session.family.requirements.isSafetyCritical { session.quarantine() }
            session.feed(.stop(cause))
        }
    }

    /// Leaves the connection to the broker with all that piled up on it.
    private func renew() {
        // Without a connection nothing piles up, and the next one begins clean.
        guard brokerVersion != nil else { return }
        renewal = renewal == .none || renewal == .reading ? .reading : .again
        world.broker.drainAndReconnect()
    }

    /// The broker is connected anew: what comes now was sent now.
    func caughtUp() {
        if renewal == .again {
            renewal = .reading
            return world.broker.drainAndReconnect()
        }
        renewal = .none
        for session in sessions.values { session.desk.endQuarantine() }
    }

    /// Whether the loss of the connection is the one that the bridge wanted.
    func isWantedLoss() -> Bool {
        guard renewal == .reading else { return false }
        renewal = .connecting
        return true
    }

    // MARK: Sleep of the host

    /// Stops every device because the host is about to sleep; returns when that is written, or after a bounded
    /// time.
    public func prepareForSleep() async {
        guard !isStopping else { return }
        logger.info("the host goes to sleep")
        stopAll(.suspend)
        await withSessions(Array(sessions.values)) { await $0.halted() }
    }

    /// The host is awake again, or did not sleep in the end.
    public func awake() {
        guard !isStopping else { return }
        logger.info("the host is awake")
        guard brokerVersion != nil else { return caughtUp() }
        renew()
    }
}
