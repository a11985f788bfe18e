package import Bluetooth

/// A device of another bridge with the same name as a device of this bridge.
package struct NameRival: Hashable, Sendable {
    package var address: Address
    /// The other bridge's claim on the device.
    package var claim: Claim

    package init(address: Address, claim: Claim) {
        self.address = address
        self.claim = claim
    }
}

/// Decides whether this bridge owns a device's topics. The bridge must own the device, which ``Claims/DeviceClaim``
/// decides by address, and no other device may have the device's name.
///
/// For the name, it tracks the newest claim on another device with the same name, and whether the bridge of that claim
/// is online.
package struct TopicOwnership: Sendable {
    /// What the session must do after an input.
    package enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish all states, because no other bridge publishes them.
        case republish
        /// Publish all states again, because another bridge has overwritten them.
        case republishAgain
        /// Publish nothing more: another bridge owns the device.
        case yield
        /// Read from the device to prove this bridge's link, because another bridge claims to have the link.
        case prove
        /// Close the link: another bridge has an older link, and both links work.
        case drop
        /// Rename the device, because the device of another bridge has its name.
        case giveUpName
        /// Obey stops only: a configured device of another bridge has the same name.
        case shareName
    }

    private enum Naming: Hashable, Sendable {
        case free
        /// Another device has the name, so this bridge does not publish.
        case lost
        /// Two connected, configured devices have the name, and neither may be renamed. `speaks` is true if this
        /// bridge, and not the other one, publishes on the topics.
        case shared(speaks: Bool)
    }

    /// Decides which bridge owns the device itself, regardless of its name.
    package private(set) var device: DeviceClaim
    /// Whether the device is configured. A configured device always keeps its name.
    package var isConfigured: Bool
    private var naming = Naming.free
    /// Another device with the same name: the newest claim on it by a bridge that is not known to be offline.
    package private(set) var nameRival: NameRival?
    /// Whether all retained claims have arrived.
    private var hasSettled = false
    /// Whether a bridge without the link has taken over the topics. Its messages can arrive after its claim, and after
    /// this bridge's answer to the claim.
    private var hasLateRival = false

    package init(bridge: String, address: Address, isConfigured: Bool) {
        device = DeviceClaim(bridge: bridge, address: address)
        self.isConfigured = isConfigured
    }

    package var bridge: String { device.bridge }
    package var address: Address { device.address }

    /// Whether this bridge owns the topics, so that it publishes retained messages and obeys commands.
    package var isOurs: Bool {
        switch naming {
        case .free: device.isSpeaking
        case .lost: false
        case .shared(let speaks): speaks
        }
    }
    /// Whether it is not known yet which bridge owns the topics.
    package var isUnknown: Bool { naming == .free && device.isUndecided }
    /// Whether another bridge owns the topics.
    package var isStandby: Bool { !isOurs && !isUnknown }
    /// Whether two connected, configured devices have the name, and neither may be renamed.
    package var isNameShared: Bool { if case .shared = naming { true } else { false } }
    /// Whether another bridge has had the device since this bridge last had it.
    package var wasElsewhere: Bool { device.wasElsewhere }
    /// The claim that this bridge publishes; nil while it publishes none.
    package var said: (epoch: Int, state: Claim.State)? { naming == .lost ? nil : device.said }
    /// The claim that this bridge publishes last, after another device got the name: it reports that this bridge has no
    /// link.
    package var lastWord: (epoch: Int, state: Claim.State)? {
        naming == .lost ? device.said.map { ($0.epoch, .released) } : nil
    }
    /// When this bridge takes over the topics, if no other bridge has done so by then; nil for never.
    package var deadline: Duration? { device.deadline }

    /// Whether it matters for the device whether a given bridge is online; for nil, whether it matters for any bridge.
    package func regards(_ bridge: String?) -> Bool {
        let others = [nameRival?.claim.bridge, device.foreign?.bridge].compactMap { $0 }
        return bridge.map(others.contains) ?? !others.isEmpty
    }

    // MARK: Broker and link

    /// Records that the broker connection is lost or new. The retained claims are unknown again.
    package mutating func listen() {
        hasSettled = false
        device.listen()
    }

    /// Records that all retained claims have arrived.
    package mutating func settle(_ peers: Neighbors, isLinked: Bool, at now: Duration) -> Reaction {
        hasSettled = true
        return joined(with: judgeName(peers, isLinked, isNew: false)) { $0.settle(peers, at: now) }
    }

    /// Records that this bridge's link is ready.
    package mutating func linked(_ peers: Neighbors) -> Reaction {
        joined {
            $0.linked()
        } with: {
            $0.judgeName(peers, true, isNew: false)
        }
    }

    /// Records that this bridge's link is no longer used.
    package mutating func unlinked(_ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.unlinked(peers, at: now) }
    }

    /// Records that the device has a new name. Whether another device has the new name is unknown.
    package mutating func renamed() {
        (naming, nameRival) = (.free, nil)
        listen()
    }

    // MARK: Other bridges

    /// Handles a claim on the device.
    package mutating func heard(_ claim: Claim, _ peers: Neighbors, at now: Duration) -> Reaction {
        if claim.bridge != bridge, !claim.isStored {
            hasLateRival = claim.state == .released && claim.bridge != device.foreign?.bridge
        }
        return joined { $0.heard(claim, peers, at: now) }
    }

    /// Whether this bridge must publish all states once more after a pause, because messages of a bridge that took over
    /// the topics without the link may still overwrite them. The next call returns false.
    package mutating func takeLateRival() -> Bool {
        defer { hasLateRival = false }
        return hasLateRival
    }

    /// Handles another bridge's device with this name.
    package mutating func heard(_ rival: NameRival, _ peers: Neighbors, isLinked: Bool) -> Reaction {
        nameRival = rival
        return judgeName(peers, isLinked, isNew: true)
    }

    /// Records that another device no longer has this name.
    package mutating func nameLeft(by other: Address, _ peers: Neighbors, isLinked: Bool) -> Reaction {
        guard nameRival?.address == other else { return .nothing }
        nameRival = nil
        return judgeName(peers, isLinked, isNew: false)
    }

    /// Decides again after the set of online bridges, or this bridge's link, has changed.
    package mutating func reconsider(_ peers: Neighbors, isLinked: Bool, at now: Duration) -> Reaction {
        joined(with: judgeName(peers, isLinked, isNew: false)) { $0.reconsider(peers, at: now) }
    }

    /// Records an advertisement from the device.
    package mutating func advertised(_ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.advertised(peers, at: now) }
    }

    /// Takes over the topics or publishes a delayed claim, if the ``deadline`` has passed.
    package mutating func timeIsUp(_ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.timeIsUp(peers, at: now) }
    }

    /// Records that the device advertised while this bridge had the link.
    package mutating func advertisedLinked() { device.advertisesLinked = true }

    // MARK: Proof by the device

    /// The claim of another bridge on this bridge's link, to which this bridge must respond; nil if there is none.
    package var contested: Claim? {
        guard let foreign = device.foreign, foreign.state == .linked, device.isContested else { return nil }
        return foreign
    }

    /// Records that the device answered, so the link works.
    package mutating func proved(since: String, at now: Duration) -> Reaction {
        joined { $0.proved(since: since, at: now) }
    }

    /// Leaves the device to the bridge that claims this bridge's link.
    package mutating func yield() -> Reaction { joined { $0.refuted() } }

    // MARK: Device and name

    /// Applies a change to the claim on the device, and returns what to do with the device's topics.
    private mutating func joined(
        with other: Reaction = .nothing, _ change: (inout DeviceClaim) -> DeviceClaim.Reaction
    ) -> Reaction {
        let wasOurs = isOurs
        let reaction = change(&device)
        if other != .nothing { return other }
        switch reaction {
        case .challenge: return naming == .lost ? .nothing : .prove
        case .drop: return .drop
        case .nothing, .republish, .sayAgain, .beSilent: break
        }
        guard naming == .free else { return .nothing }
        switch reaction {
        case .republish: return .republish
        case .sayAgain: return wasOurs ? .republishAgain : .republish
        case .beSilent: return .yield
        case .nothing, .challenge, .drop: return .nothing
        }
    }

    private mutating func joined(
        _ change: (inout DeviceClaim) -> DeviceClaim.Reaction, with judge: (inout Self) -> Reaction
    ) -> Reaction {
        let reaction = joined(change)
        let other = judge(&self)
        return other == .nothing ? reaction : other
    }

    // MARK: Name

    /// Decides about the name while another bridge claims a device with the same name. A name is given up only to a
    /// bridge that is certainly online.
    private mutating func judgeName(_ peers: Neighbors, _ isLinked: Bool, isNew: Bool) -> Reaction {
        guard let rival = nameRival else { return nameIsFree(isNew: false) }
        let claim = rival.claim
        let isRivalLinked = claim.state == .linked
        let life = peers.life(claim)
        guard life != .dead else {
            nameRival = nil
            return nameIsFree(isNew: isNew)
        }
        let goesFirst = rival.address < address
        switch (isConfigured, claim.isConfigured) {
        case (true, false): return nameIsFree(isNew: isNew)
        case (true, true) where isLinked && isRivalLinked:
            // Both devices obey stops. The bridge that publishes on the topics also reports the conflict.
            defer { naming = .shared(speaks: !goesFirst) }
            return isNameShared ? .nothing : .shareName
        case (true, true):
            if isLinked || !isRivalLinked && !goesFirst { return nameIsFree(isNew: isNew) }
            return isUnknown && life != .alive ? .nothing : nameIsLost()
        case (false, true): return life == .alive ? .giveUpName : .nothing
        case (false, false):
            let isLost =
                isLinked
                ? isRivalLinked && goesFirst && !claim.isStored
                : isRivalLinked || claim.isStored || goesFirst
            if isLost { return life == .alive ? .giveUpName : .nothing }
            return nameIsFree(isNew: isNew)
        }
    }

    private mutating func nameIsFree(isNew: Bool) -> Reaction {
        let wasOurs = isOurs
        naming = .free
        guard isOurs, isNew || !wasOurs else { return .nothing }
        return wasOurs ? .republishAgain : .republish
    }

    private mutating func nameIsLost() -> Reaction {
        let wasStandby = isStandby
        naming = .lost
        return wasStandby ? .nothing : .yield
    }
}
