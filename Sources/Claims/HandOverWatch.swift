package import BridgeContract

/// Determines how a device came to this bridge from another bridge, and how long no bridge had the device: a pure state
/// machine.
package struct HandOverWatch: Sendable {
    /// The minimum time from the claim to an advertisement that counts; an earlier advertisement may have been in
    /// transit.
    private static let delay = Duration.seconds(1)

    /// When the newest claim of a bridge with the device arrived; nil while no bridge is known to have the device.
    private var heldSince: Duration?
    private var end: (reason: HandOverReason, moment: Duration?)?

    package init() {}

    /// Records another bridge's claim.
    package mutating func heard(_ claim: Claim, at now: Duration) {
        switch claim.state {
        case .linked: (heldSince, end) = (now, nil)
        // It is unknown when a retained claim was published.
        case .released: finish(.released, claim.isStored ? nil : now)
        }
    }

    /// Records that the bridge that had the device is offline.
    package mutating func holderDied(at now: Duration) {
        if heldSince != nil { finish(.died, now) }
    }

    /// Records an advertisement from the device.
    package mutating func advertised(at now: Duration) {
        guard end == nil, let heldSince, now - heldSince >= Self.delay else { return }
        end = (.advertised, now)
    }

    private mutating func finish(_ reason: HandOverReason, _ moment: Duration?) {
        // An advertisement may have arrived before the claim.
        let moment = end?.reason == .advertised ? end?.moment : moment
        (heldSince, end) = (nil, (reason, moment))
    }

    /// Records that this bridge has the device, which another bridge had.
    ///
    /// - Returns: How the device came to this bridge, and how long no bridge had the device; nil if the time is
    ///   unknown.
    package mutating func take(at now: Duration) -> (reason: HandOverReason, time: Duration?) {
        defer { (heldSince, end) = (nil, nil) }
        return (end?.reason ?? .contested, end?.moment.map { now - $0 })
    }
}
