import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import Logging

// What the bridge does when it was kept from its work: what moves is stopped, and what piled up is not obeyed.
extension Bridge {
    func followStalls() {
        world.time.onStall { [weak self] stall in
            self?.assumeIsolated { $0.stalled(stall) }
        }
    }

    /// Notices lateness while something is connected that moves.
    func updateStallDetection() {
        let isWanted = fleet.movers.contains { $0.link != nil }
        if rounds.detectStalls(isWanted) { world.time.detectStalls(isWanted) }
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
        for session in fleet.all {
            if session.isSafetyCritical { session.quarantine() }
            session.feed(.stop(cause))
        }
    }

    /// Leaves the connection to the broker with all that piled up on it, now or after a pause.
    private func renew() {
        guard broker.status.isConnected, !clockwork.runs(.renewal) else { return }
        let pause = broker.renewals.next(at: world.time.now)
        guard pause > .zero else { return renewNow() }
        postponeRenewal(by: pause)
    }

    private func postponeRenewal(by pause: Duration) {
        logger.warning(
            "late too often: robots obey stops only, until the broker is connected anew",
            metadata: ["in_s": "\(pause.components.seconds)"])
        startTimer(.renewal, at: world.time.now + pause)
    }

    func renewNow() {
        if broker.status.renew() { world.broker.drainAndReconnect() }
    }

    /// The broker is connected anew: what comes now was sent now.
    func caughtUp() {
        guard broker.status.catchUp() else { return world.broker.drainAndReconnect() }
        guard !clockwork.runs(.renewal) else { return }
        for session in fleet.all { session.desk.endQuarantine() }
    }

    // MARK: Sleep of the host

    /// Stops every device because the host is about to sleep; returns when that is written, or after a bounded
    /// time.
    public func prepareForSleep() async {
        guard !isStopping else { return }
        logger.info("the host goes to sleep")
        stopAll(.suspend)
        await withSessions(Array(fleet.all)) { await $0.halted() }
    }

    /// The host is awake again, or did not sleep in the end.
    public func awake() {
        guard !isStopping else { return }
        logger.info("the host is awake")
        guard broker.status.isConnected else { return caughtUp() }
        renew()
    }
}
