import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging

// The device is let go, for a while or to another bridge or program, and comes back.
extension DeviceSession {
    /// How long a request to connect waits for the device.
    private static let arrivalTime = Duration.seconds(30)
    /// How long a state machine may take for its goodbye.
    private static let partingTime = Duration.milliseconds(1500)
    private static let adapterReason = "another program has the adapter"

    // MARK: Going

    /// Makes the device safe, then closes its link; the session lives on.
    ///
    /// - Parameter failure: Why, where the device must not be used.
    func part(_ failure: DeviceFailure? = nil) {
        guard life == .open, connector.part(failure) else { return }
        tape(.close(failure?.reason ?? "the device is let go"))
        startTimer(.parting, at: now + Self.partingTime)
        feed(.close)
    }

    /// The state machine has said its last words, or its time is up.
    func finishParting(isTimeUp: Bool = false) {
        guard let reason = connector.parted(otherwise: Self.adapterReason) else { return }
        clock.cancel(.parting)
        settleWill(isTimeUp: isTimeUp)
        closeLink(reason: reason)
    }

    /// Closes the link because the device's state machine wants it.
    func disconnect(_ failure: DeviceFailure?) {
        if connector.machineDone(failure) { closeLink(reason: "closed by the bridge") }
    }

    /// Closes the link in good order and leaves the device alone; tells when the link is closed.
    func userDisconnect(then done: @escaping Connector.Done) {
        // The device is gone already.
        guard life < .ended else { return done(.ok) }
        logger.info("disconnected by request")
        let waiters = connector.userDisconnect(then: done)
        clock.cancel(.arrival)
        for waiter in waiters {
            waiter(.failed(.deviceOffline, "it was disconnected by request meanwhile"))
        }
        guard life == .open else { return }
        if link == nil { proceed() } else { part() }
    }

    /// Leaves the device to another bridge: it is made safe first, then its link is closed.
    ///
    /// - Parameter sharesLink: Whether the other bridge uses the same link, so that it stays.
    func letGo(to claim: Claim, sharesLink: Bool) {
        logger.warning(
            "the device is let go, since another bridge has it", metadata: ["bridge": "\(claim.bridge)"])
        _ = publisher.ownership.yield()
        fallSilent()
        connector.leave(to: Connector.Successor(bridge: claim.bridge, sharesLink: sharesLink))
        part()
    }

    /// Lets the device go if its link is over this adapter, which another program has taken: that program does not stop
    /// a robot that drives by what this bridge wrote.
    func leaveAdapter(_ name: String) {
        guard connector.linked?.adapter == name, connector.isKept, life == .open else { return }
        logger.warning("let go", metadata: ["reason": "\(Self.adapterReason)"])
        part()
    }

    /// Answers what waits for the device to go: it is gone.
    func answerDisconnectWaiters() {
        for done in connector.takeDisconnectWaiters() { done(.ok) }
    }

    // MARK: Coming

    /// Connects as soon as the device is heard, without waiting for the next attempt; tells when it is online.
    func userReconnect(then done: @escaping Connector.Done) {
        guard life < .finished else { return done(Self.letGo) }
        for waiter in connector.userReconnect() {
            waiter(.failed(.busy, "it is connected again by request"))
        }
        guard !isReady || !connector.isKept else {
            return done(.ok(["state": .string(stage.rawValue)]))
        }
        connector.awaitReady(done)
        startTimer(.arrival, at: now + Self.arrivalTime)
        proceed()
    }

    /// Answers what waits for the device to come.
    func answerConnectWaiters(_ answer: Answer) {
        clock.cancel(.arrival)
        for done in connector.takeConnectWaiters() { done(answer) }
    }
}

extension DeviceSession {
    /// Closes the link in good order and makes no other one; tells when it is closed.
    func drain(then done: @escaping Connector.Done) {
        // The device is gone already.
        guard life < .ended else { return done(.ok) }
        let waiters = connector.drain(then: done)
        clock.cancel(.arrival)
        for waiter in waiters { waiter(.failed(.deviceOffline, Supervision.drainReason)) }
        guard life == .open else { return }
        if link == nil { proceed() } else { part() }
    }

    /// Makes links again.
    func undrain() {
        connector.undrain()
        proceed()
    }
}
