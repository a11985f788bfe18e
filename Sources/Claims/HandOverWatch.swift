package import BridgeContract

/// Determines how a device came to this bridge from another bridge, and how long no bridge had the device: a pure state
/// machine.
package struct HandOverWatch: Sendable {
    /// How long after the claim an advertisement must arrive to be counted, since an earlier one may have been in
    /// transit.
    private static let delay = Duration.seconds(1)

    /// When the newest claim of a bridge that has the link arrived; nil while no bridge is known to have the link.
    private var heldSince: Duration?
    private var end: (reason: HandOverReason, moment: Duration?)?

    package init() {}

    /// Records another bridge's claim.
    package mutating func heard(_ claim: Claim, at now: Duration) {
        switch claim.state {
        case .linked: (heldSince, end) = (now, nil)
        // A retained claim may have been published at any time, so the end of the link is unknown.
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
        // If the device already advertised before the claim arrived, its link ended at the time of the advertisement.
        let moment = end?.reason == .advertised ? end?.moment : moment
        (heldSince, end) = (nil, (reason, moment))
    }

    /// Records that this bridge now has the device, which came from another bridge.
    ///
    /// - Returns: How the device came to this bridge, and how long no bridge had the device; nil if the time is
    ///   unknown.
    package mutating func take(at now: Duration) -> (reason: HandOverReason, time: Duration?) {
        defer { (heldSince, end) = (nil, nil) }
        return (end?.reason ?? .contested, end?.moment.map { now - $0 })
    }
}
