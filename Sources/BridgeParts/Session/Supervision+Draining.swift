import BridgeContract
import DeviceKit

// The bridge drains: its devices are let go, and taken up again when it ends.
extension Supervision {
    package static let drainReason = "the bridge is draining"
    package static let drainAdvice =
        "the request undrain lets the bridge take devices again; another host may have it meanwhile"

    /// Why a device that is let go is not connected.
    package var heldReason: String {
        if isDraining { return Self.drainReason }
        return isOnRequest ? Self.onRequestReason : Self.heldReason
    }

    /// Says, instead of what to do, that nothing is done while the bridge drains.
    package mutating func holdsBack() -> Bool {
        guard isDraining else { return false }
        // What is heard now says nothing of when it ends: another host may have the device by then.
        (state, isHeard) = (.disconnected, false)
        (reason, advice, nextAttempt) = (Self.drainReason, Self.drainAdvice, nil)
        reasonCode = .draining
        return true
    }

    /// The bridge takes links again.
    package mutating func undrain() {
        isDraining = false
        if isIdle { (reason, advice, nextAttempt) = (nil, nil, nil) }
    }
}

extension Connector {
    /// - Parameter done: Told when the link is closed.
    /// - Returns: What waited for the device to come.
    package mutating func drain(then done: @escaping Done) -> [Done] {
        supervision.isDraining = true
        disconnectWaiters.append(done)
        return takeConnectWaiters()
    }

    /// Takes no link from the start, since the bridge drains.
    package mutating func drain() { supervision.isDraining = true }

    /// The bridge takes links again.
    package mutating func undrain() { supervision.undrain() }

    /// Whether no link is wanted, because a person or the bridge let the device go.
    package var isUnwanted: Bool { supervision.isUserDisconnected || supervision.isDraining }
}
