import BridgeContract
import DeviceKit

// The bridge drains: its devices are let go, and taken up again when it ends.
extension Supervision {
    static let drainReason = "the bridge is draining"
    static let drainAdvice =
        "the request undrain lets the bridge take devices again; another host may have it meanwhile"

    /// Why a device that is let go is not connected.
    var heldReason: String {
        if isDraining { return Self.drainReason }
        return isOnRequest ? Self.onRequestReason : Self.heldReason
    }

    /// Says, instead of what to do, that nothing is done while the bridge drains.
    mutating func holdsBack() -> Bool {
        guard isDraining else { return false }
        // What is heard now says nothing of when it ends: another host may have the device by then.
        (state, isHeard) = (.disconnected, false)
        (reason, advice, nextAttempt) = (Self.drainReason, Self.drainAdvice, nil)
        reasonCode = .draining
        return true
    }

    /// The bridge takes links again.
    mutating func undrain() {
        isDraining = false
        if isIdle { (reason, advice, nextAttempt) = (nil, nil, nil) }
    }
}

extension Connector {
    /// - Parameter done: Told when the link is closed.
    /// - Returns: What waited for the device to come.
    mutating func drain(then done: @escaping Done) -> [Done] {
        supervision.isDraining = true
        disconnectWaiters.append(done)
        return takeConnectWaiters()
    }

    /// Takes no link from the start, since the bridge drains.
    mutating func drain() { supervision.isDraining = true }

    /// The bridge takes links again.
    mutating func undrain() { supervision.undrain() }

    /// Whether no link is wanted, because a person or the bridge let the device go.
    var isUnwanted: Bool { supervision.isUserDisconnected || supervision.isDraining }
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
