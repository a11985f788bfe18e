package import BridgeContract

/// How a device came from another bridge to this one, and since when nobody has had it: pure.
package struct HandOverWatch: Sendable {
    /// So much newer than the claim an advertisement must be: one may have been under way.
    private static let delay = Duration.seconds(1)

    /// When the newest word came that a bridge has the device; nil while none is known to.
    private var heldSince: Duration?
    private var end: (reason: HandOverReason, moment: Duration?)?

    package init() {}

    /// Another bridge says how it stands to the device.
    package mutating func heard(_ claim: Claim, at now: Duration) {
        switch claim.state {
        case .linked: (heldSince, end) = (now, nil)
        // When that was that the broker had in store, this bridge did not see.
        case .released: finish(.released, claim.isStored ? nil : now)
        }
    }

    /// The bridge that had the device is dead.
    package mutating func holderDied(at now: Duration) {
        if heldSince != nil { finish(.died, now) }
    }

    /// The device was heard on the air.
    package mutating func advertised(at now: Duration) {
        guard end == nil, let heldSince, now - heldSince >= Self.delay else { return }
        end = (.advertised, now)
    }

    private mutating func finish(_ reason: HandOverReason, _ moment: Duration?) {
        // The air may have told it before the bridge did.
        let moment = end?.reason == .advertised ? end?.moment : moment
        (heldSince, end) = (nil, (reason, moment))
    }

    /// This bridge has the device, which another one had.
    ///
    /// - Returns: How it came, and for how long nobody had it; nil where that is not known.
    package mutating func take(at now: Duration) -> (reason: HandOverReason, time: Duration?) {
        defer { (heldSince, end) = (nil, nil) }
        return (end?.reason ?? .contested, end?.moment.map { now - $0 })
    }
}
