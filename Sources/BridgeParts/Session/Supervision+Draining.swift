import BridgeContract
import DeviceKit

// Draining: the bridge disconnects its devices, and connects them again afterwards.
extension Supervision {
    package static let drainReason = "the bridge is draining"
    package static let drainAdvice =
        "the request undrain lets the bridge connect devices again; until then another host can connect the device"

    /// Why the device stays disconnected: the bridge is draining, the device is connected only by request, or the user
    /// has disconnected it.
    package var heldReason: String {
        if isDraining { return Self.drainReason }
        return isOnRequest ? Self.onRequestReason : Self.heldReason
    }

    /// If the bridge is draining, sets the state to disconnected and returns true.
    package mutating func holdsBack() -> Bool {
        guard isDraining else { return false }
        // The bridge must not connect later because of an advertisement received while it drains: another host may have
        // the device by then.
        (state, isHeard) = (.disconnected, false)
        (reason, advice, nextAttempt) = (Self.drainReason, Self.drainAdvice, nil)
        reasonCode = .draining
        return true
    }

    /// Allows links again, because draining has ended.
    package mutating func undrain() {
        isDraining = false
        if isIdle { (reason, advice, nextAttempt) = (nil, nil, nil) }
    }
}

extension Connector {
    /// Disconnects the device, because the bridge is draining.
    ///
    /// - Parameter done: Called when the link is closed.
    /// - Returns: The callbacks that waited for the device to be ready.
    package mutating func drain(then done: @escaping Done) -> [Done] {
        supervision.isDraining = true
        disconnectWaiters.append(done)
        return takeConnectWaiters()
    }

    /// Prevents links from the start of the session, because the bridge is draining.
    package mutating func drain() { supervision.isDraining = true }

    /// Allows links again, because draining has ended.
    package mutating func undrain() { supervision.undrain() }

    /// Whether no link is needed, because the device was disconnected by request or the bridge is draining.
    package var isUnwanted: Bool { supervision.isUserDisconnected || supervision.isDraining }
}
