import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging

// Temporary disconnections: by request, for another bridge or for another program.
extension DeviceSession {
    /// How long a request to connect waits for the device.
    private static let arrivalTime = Duration.seconds(30)
    /// How long a state machine may take for its last writes before a temporary disconnection.
    private static let partingTime = Duration.milliseconds(1500)
    private static let adapterReason = "another program uses the adapter"

    // MARK: Disconnecting

    /// Makes the device safe, then disconnects it. The session continues.
    ///
    /// - Parameter failure: The reason if the device must not be used; otherwise nil.
    func part(_ failure: DeviceFailure? = nil) {
        guard life == .open, connector.part(failure) else { return }
        record(.close(failure?.reason ?? "the bridge no longer manages the device"))
        startTimer(.parting, at: now + Self.partingTime)
        feed(.close)
    }

    /// Disconnects the device, because the state machine has finished its last writes or their time is over.
    func finishParting(isTimeUp: Bool = false) {
        guard let reason = connector.parted(otherwise: Self.adapterReason) else { return }
        clock.cancel(.parting)
        settleWill(isTimeUp: isTimeUp)
        closeLink(reason: reason)
    }

    /// Disconnects because the state machine requests it.
    func disconnect(_ failure: DeviceFailure?) {
        // Over a proxy, no guardian completes the stop that a failed state machine has requested.
        let awaitsStop = failure != nil && isOverProxy && hasWrites && connector.isKept
        if awaitsStop { startTimer(.parting, at: now + Self.partingTime) }
        guard connector.machineDone(failure, awaitsWrites: awaitsStop) else { return }
        closeLink(reason: "closed by the bridge")
    }

    /// Disconnects the device cleanly and keeps it disconnected. Calls `done` when the Bluetooth connection is closed.
    func userDisconnect(then done: @escaping Connector.Done) {
        // The link of an ended session is closed, so the device is already disconnected.
        guard life < .ended else { return done(.ok) }
        logger.info("the device is disconnected by request, and stays so until the request connect")
        let waiters = connector.userDisconnect(then: done)
        clock.cancel(.arrival)
        for waiter in waiters {
            waiter(.failed(.deviceOffline, "the device was disconnected by request"))
        }
        guard life == .open else { return }
        endVisits()
        if connector.linked == nil { proceed() } else { part() }
    }

    /// Leaves the device to another bridge: makes it safe first, then disconnects it.
    ///
    /// - Parameter sharesLink: Whether the other bridge uses the same Bluetooth connection, so that the connection
    ///   stays open.
    func yieldDevice(to claim: Claim, sharesLink: Bool) {
        logger.warning(
            "the device is disconnected, because another bridge controls it",
            metadata: ["bridge": "\(claim.bridge)"])
        _ = publisher.ownership.yield()
        standDown()
        endVisits()
        connector.leave(to: Connector.Successor(bridge: claim.bridge, sharesLink: sharesLink))
        part()
    }

    /// Disconnects the device if it is connected over an adapter that another program has taken. The other program
    /// would not stop a robot that this bridge has set in motion.
    func leaveAdapter(_ name: String) {
        guard connector.linked?.adapter == name, connector.isKept, life == .open else { return }
        logger.warning("the device is disconnected", metadata: ["reason": "\(Self.adapterReason)"])
        part()
    }

    /// Answers the requests to disconnect, because the device is disconnected.
    func answerDisconnectWaiters() {
        for done in connector.takeDisconnectWaiters() { done(.ok) }
    }

    // MARK: Connecting

    /// Connects at the next advertisement, without waiting for the next attempt. Calls `done` when the device is
    /// online.
    func userReconnect(then done: @escaping Connector.Done) {
        guard life < .finished else { return done(Self.closed) }
        for waiter in connector.userReconnect() {
            waiter(.failed(.busy, "the device is connected again by another request"))
        }
        guard !isReady || !connector.isKept else {
            return done(connectAnswer)
        }
        connector.awaitReady(done)
        startTimer(.arrival, at: now + Self.arrivalTime)
        proceed()
    }

    /// The answer to a request to connect when the device is online.
    var connectAnswer: Answer {
        .ok([
            "state": .string(stage.rawValue),
            "bluetooth_adapter": connector.linked?.adapter.map { .string($0) } ?? .null,
        ])
    }

    /// Answers the requests to connect.
    func answerConnectWaiters(_ answer: Answer) {
        clock.cancel(.arrival)
        for done in connector.takeConnectWaiters() { done(answer) }
    }
}

extension DeviceSession {
    /// Disconnects the device cleanly and does not reconnect it. Calls `done` when the Bluetooth connection is closed.
    func drain(then done: @escaping Connector.Done) {
        // The link of an ended session is closed, so the device is already disconnected.
        guard life < .ended else { return done(.ok) }
        let waiters = connector.drain(then: done)
        clock.cancel(.arrival)
        for waiter in waiters { waiter(.failed(.deviceOffline, Supervision.drainReason)) }
        guard life == .open else { return }
        endVisits()
        if connector.linked == nil { proceed() } else { part() }
    }

    /// Allows Bluetooth connections again after draining.
    func undrain() {
        connector.undrain()
        proceed()
    }
}
