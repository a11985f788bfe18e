import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import Logging

// How the bridge reacts to a stall: a delay of the bridge or a sleep of the host. The bridge stops everything that
// moves, and rejects the commands that piled up.
extension Bridge {
    func followStalls() {
        ports.time.onStall { [weak self] stall in
            self?.assumeIsolated { $0.stalled(stall) }
        }
    }

    /// Detects stalls while a device that moves is connected.
    func updateStallDetection() {
        let isWanted = fleet.movers.contains { $0.link != nil }
        if rounds.detectStalls(isWanted) { ports.time.detectStalls(isWanted) }
    }

    private func stalled(_ stall: Stall) {
        guard !isStopping else { return }
        switch stall {
        case .late(let time):
            logger.warning(
                "the bridge was delayed: every device is stopped",
                metadata: ["late_ms": "\(time.milliseconds)"])
            stopAll(.late)
        case .suspended(let time):
            logger.warning(
                "the host was asleep: every device is stopped",
                metadata: ["slept_s": "\(time.components.seconds)"])
            stopAll(.suspend)
        }
        renew()
    }

    /// Stops every device. Devices that move then take only stops until the broker is reconnected.
    private func stopAll(_ cause: StopCause) {
        for session in fleet.all {
            if session.isSafetyCritical { session.quarantine() }
            session.feed(.stop(cause))
        }
    }

    /// Replaces the broker connection and discards the messages that piled up on it, possibly after a pause.
    private func renew() {
        guard broker.status.isConnected, !timers.runs(.renewal) else { return }
        let pause = broker.renewals.next(at: ports.time.now)
        guard pause > .zero else { return renewNow() }
        postponeRenewal(by: pause)
    }

    private func postponeRenewal(by pause: Duration) {
        logger.warning(
            "the bridge was delayed too often: robots accept only stops until the bridge reconnects to the broker",
            metadata: ["in_s": "\(pause.components.seconds)"])
        startTimer(.renewal, at: ports.time.now + pause)
    }

    func renewNow() {
        if broker.status.renew() { ports.broker.drainAndReconnect() }
    }

    /// Accepts commands again after the broker connection was replaced: the messages that arrive now are current.
    func caughtUp() {
        guard broker.status.catchUp() else { return ports.broker.drainAndReconnect() }
        guard !timers.runs(.renewal) else { return }
        for session in fleet.all { session.desk.endQuarantine() }
    }

    // MARK: Sleep of the host

    /// Stops every device because the host is about to sleep. Returns when the stops are written, or after a limited
    /// time.
    public func prepareForSleep() async {
        guard !isStopping else { return }
        logger.info("the host is going to sleep: every device is stopped")
        stopAll(.suspend)
        await withSessions(Array(fleet.all)) { await $0.halted() }
    }

    /// Handles that the host is awake again, or did not sleep after all.
    public func awake() {
        guard !isStopping else { return }
        logger.info("the host is awake")
        guard broker.status.isConnected else { return caughtUp() }
        renew()
    }
}
