package import Bluetooth

/// A device of another bridge that has the name of one of this bridge's.
package struct NameRival: Hashable, Sendable {
    package var address: Address
    /// What the other bridge publishes of it.
    package var claim: Claim

    package init(address: Address, claim: Claim) {
        self.address = address
        self.claim = claim
    }
}

/// Decides whether this bridge speaks on a device's topics: it must speak for the device, which ``Claims/DeviceClaim``
/// decides by the device's address, and the device must have the name.
///
/// Of the name it knows the newest claim of another device on it, and whether the one who made it lives.
package struct TopicOwnership: Sendable {
    /// What to do about it.
    package enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish all that holds: no other bridge does.
        case republish
        /// Say again what holds, since the other one has overwritten it.
        case republishAgain
        /// Say nothing more: the other one holds the device.
        case yield
        /// Find out whether the link is there: another bridge says that it has it.
        case prove
        /// Let go of the link: another bridge has an older one, and both are good.
        case drop
        /// Take another name: the other device holds this one.
        case giveUpName
        /// Obey stops only: a device that is configured too, at another bridge, has the name.
        case shareName
    }

    private enum Naming: Hashable, Sendable {
        case free
        /// Another device has the name.
        case lost
        /// Two connected, configured devices have the name, of which none is let move.
        case shared(speaks: Bool)
    }

    /// Which bridge has the device.
    package private(set) var device: DeviceClaim
    /// Whether the device stands in the configuration: then its name is never taken away.
    package var isConfigured: Bool
    private var naming = Naming.free
    /// The newest claim of another device on the name, by a bridge that is not known to be dead.
    package private(set) var nameRival: NameRival?
    /// Whether all claims that were in store have been heard.
    private var hasSettled = false

    package init(bridge: String, address: Address, isConfigured: Bool) {
        device = DeviceClaim(bridge: bridge, address: address)
        self.isConfigured = isConfigured
    }

    /// This bridge's id.
    package var bridge: String { device.bridge }
    /// The device's address.
    package var address: Address { device.address }

    /// Whether to publish what is retained, and to obey commands.
    package var isOurs: Bool {
        switch naming {
        case .free: device.isSpeaking
        case .lost: false
        case .shared(let speaks): speaks
        }
    }
    /// Whether another bridge may turn out to be the holder yet.
    package var isUnknown: Bool { naming == .free && device.isUndecided }
    /// Whether another bridge speaks for the device.
    package var isSilent: Bool { !isOurs && !isUnknown }
    /// Whether two connected, configured devices have the name, of which none is let move.
    package var isNameShared: Bool { if case .shared = naming { true } else { false } }
    /// Whether another bridge had the device since this one had it last.
    package var wasElsewhere: Bool { device.wasElsewhere }
    /// What this bridge says on the device's claim; nil while it says nothing.
    package var said: (epoch: Int, state: Claim.State)? { naming == .lost ? nil : device.said }
    /// What a bridge says last on the claim that it has made, when another device has the name.
    package var lastWord: (epoch: Int, state: Claim.State)? {
        naming == .lost ? device.said.map { ($0.epoch, .released) } : nil
    }
    /// When this bridge speaks, unless another one has begun to.
    package var deadline: Duration? { device.deadline }

    /// Whether it makes a difference for the device whether a bridge lives; nil for any other bridge.
    package func regards(_ bridge: String?) -> Bool {
        let others = [nameRival?.claim.bridge, device.foreign?.bridge].compactMap { $0 }
        return bridge.map(others.contains) ?? !others.isEmpty
    }

    // MARK: The broker and the link

    /// The connection to the broker is lost or new: nothing of what it has in store is known any more.
    package mutating func listen() {
        hasSettled = false
        device.listen()
    }

    /// All stored claims have been heard.
    package mutating func settle(_ peers: Neighbors, isLinked: Bool, at now: Duration) -> Reaction {
        hasSettled = true
        return joined(with: judgeName(peers, isLinked, isNew: false)) { $0.settle(peers, at: now) }
    }

    /// This bridge's link can be used now.
    package mutating func linked(_ peers: Neighbors) -> Reaction {
        joined {
            $0.linked()
        } with: {
            $0.judgeName(peers, true, isNew: false)
        }
    }

    /// This bridge's link is used no more.
    package mutating func unlinked(_ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.unlinked(peers, at: now) }
    }

    /// The device has another name from now on, of which it is not known whether another device has it.
    package mutating func renamed() {
        (naming, nameRival) = (.free, nil)
        listen()
    }

    // MARK: Others

    /// A bridge says on the device's claim how it stands to the device.
    package mutating func heard(_ claim: Claim, _ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.heard(claim, peers, at: now) }
    }

    /// Another device has this name at another bridge.
    package mutating func heard(_ rival: NameRival, _ peers: Neighbors, isLinked: Bool) -> Reaction {
        nameRival = rival
        return judgeName(peers, isLinked, isNew: true)
    }

    /// Another device has this name no more.
    package mutating func nameLeft(by other: Address, _ peers: Neighbors, isLinked: Bool) -> Reaction {
        guard nameRival?.address == other else { return .nothing }
        nameRival = nil
        return judgeName(peers, isLinked, isNew: false)
    }

    /// Something else is known of who lives, or of the own link.
    package mutating func reconsider(_ peers: Neighbors, isLinked: Bool, at now: Duration) -> Reaction {
        joined(with: judgeName(peers, isLinked, isNew: false)) { $0.reconsider(peers, at: now) }
    }

    /// The device was heard to advertise.
    package mutating func advertised(_ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.advertised(peers, at: now) }
    }

    /// The ``deadline`` may be over.
    package mutating func timeIsUp(_ peers: Neighbors, at now: Duration) -> Reaction {
        joined { $0.timeIsUp(peers, at: now) }
    }

    // MARK: The device's word

    /// The claim of the bridge that contests the link; nil where there is none to answer.
    package var contested: Claim? {
        guard let foreign = device.foreign, foreign.state == .linked, device.isContested else { return nil }
        return foreign
    }

    /// The device answered: the link is good.
    package mutating func proved(since: String, at now: Duration) -> Reaction {
        joined { $0.proved(since: since, at: now) }
    }

    /// Lets the other one have the device.
    package mutating func yield() -> Reaction { joined { $0.refuted() } }

    // MARK: Both together

    /// What follows for the topics from a change of the claim on the device.
    private mutating func joined(
        with other: Reaction = .nothing, _ change: (inout DeviceClaim) -> DeviceClaim.Reaction
    ) -> Reaction {
        let wasOurs = isOurs
        let reaction = change(&device)
        if other != .nothing { return other }
        switch reaction {
        case .challenge: return naming == .lost ? .nothing : .prove
        case .drop: return .drop
        case .nothing, .speak, .sayAgain, .beSilent: break
        }
        guard naming == .free else { return .nothing }
        switch reaction {
        case .speak: return .republish
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

    // MARK: The name

    /// Another bridge speaks of another device that has this name. A name is given up only to one that surely lives.
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
            // Both obey stops; the one that speaks tells where they stand.
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
        let wasSilent = isSilent
        naming = .lost
        return wasSilent ? .nothing : .yield
    }
}
