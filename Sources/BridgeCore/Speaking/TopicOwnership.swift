import Bluetooth

/// Decides whether this bridge speaks for a device: on one broker only the holder of the link does, or who held
/// it last.
///
/// All that it knows of others is the newest claim on the device's name, and whether the one who made it lives.
struct TopicOwnership: Sendable {
    /// What to do about it.
    enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish all that holds: no other bridge does.
        case republish
        /// Say again what holds, since the other one has overwritten it.
        case republishAgain
        /// Say nothing more: the other one holds the device.
        case yield
        /// Find out whether the link is there: another bridge says that it has it.
        case prove
        /// Take another name: the other device holds this one.
        case giveUpName
        /// Obey stops only: a device that is configured too, at another bridge, has the name.
        case shareName
    }

    private enum Standing: Sendable { case undecided, ours, silent }

    /// This bridge's id.
    let bridge: String
    /// The device's address.
    let address: Address
    /// Whether the device stands in the configuration: then its name is never taken away.
    var isConfigured: Bool
    private var standing = Standing.undecided
    /// The newest claim of another bridge that is not known to be dead and was not answered.
    private(set) var rival: Claim?
    /// Whether two connected, configured devices have the name, of which none is let move.
    private(set) var isNameShared = false
    /// Whether another bridge had the device since this one had it last.
    private(set) var wasElsewhere = false
    /// Whether all claims that were in store have been heard.
    private var hasSettled = false

    init(bridge: String, address: Address, isConfigured: Bool) {
        self.bridge = bridge
        self.address = address
        self.isConfigured = isConfigured
    }

    /// Whether to publish what is retained, and to obey commands.
    var isOurs: Bool { standing == .ours }
    /// Whether another bridge may turn out to be the holder yet.
    var isUnknown: Bool { standing == .undecided }
    /// Whether another bridge speaks for the device.
    var isSilent: Bool { standing == .silent }

    /// The broker is there: stored claims come now.
    mutating func listen() { hasSettled = false }

    /// All stored claims have been heard.
    mutating func settle(_ life: (Claim) -> Peers.Life, isLinked: Bool) -> Reaction {
        hasSettled = true
        return reconsider(life, isLinked: isLinked)
    }

    /// This bridge's link can be used now: it speaks, unless the name is another device's.
    mutating func linked(_ life: (Claim) -> Peers.Life) -> Reaction {
        wasElsewhere = false
        guard let rival, rival.address != address else {
            self.rival = nil
            return begin()
        }
        return reconsider(life, isLinked: true)
    }

    /// The claim on the device was answered: the link has proved itself.
    mutating func answered() { if rival?.address == address { rival = nil } }

    /// Another bridge says something of its link.
    mutating func heard(_ claim: Claim, _ life: Peers.Life, isLinked: Bool) -> Reaction {
        rival = claim
        if claim.address == address, claim.isConnected, !isLinked { wasElsewhere = true }
        return judge(claim, life, isLinked, isNew: true)
    }

    /// Something else is known of who lives, or of the own link.
    mutating func reconsider(_ life: (Claim) -> Peers.Life, isLinked: Bool) -> Reaction {
        guard let rival else { return hasSettled ? begin() : .nothing }
        return judge(rival, life(rival), isLinked, isNew: false)
    }

    /// Lets the other one have the device.
    mutating func yield() -> Reaction {
        defer { standing = .silent }
        return standing == .silent ? .nothing : .yield
    }

    private mutating func judge(
        _ claim: Claim, _ life: Peers.Life, _ isLinked: Bool, isNew: Bool
    ) -> Reaction {
        if life == .dead {
            (rival, isNameShared) = (nil, false)
            if isNew, isOurs { return .republishAgain }
            return hasSettled || isLinked ? begin() : .nothing
        }
        guard claim.address == address else { return judgeName(claim, life, isLinked, isNew) }
        let reaction = judgeHolder(claim, life, isLinked, isNew)
        // What this bridge says from now on is newer.
        if reaction == .republish || reaction == .republishAgain { rival = nil }
        return reaction
    }

    /// Another bridge speaks of this device.
    private mutating func judgeHolder(
        _ claim: Claim, _ life: Peers.Life, _ isLinked: Bool, _ isNew: Bool
    ) -> Reaction {
        isNameShared = false
        if isLinked {
            // A device has one link. Who has it is not decided by who says so.
            if claim.isConnected, isOurs { return isNew ? .prove : .nothing }
            return insist(isNew)
        }
        switch standing {
        case .silent: return .nothing
        case .undecided: return life == .alive ? yield() : .nothing
        case .ours where claim.isConnected || claim.isStored || claim.bridge < bridge: return yield()
        // Of two that have lost it the lower id speaks, so that neither answers the other for ever.
        case .ours: return insist(isNew)
        }
    }

    /// Another bridge speaks of another device that has this name. A name is given up only to one that surely lives.
    private mutating func judgeName(
        _ claim: Claim, _ life: Peers.Life, _ isLinked: Bool, _ isNew: Bool
    ) -> Reaction {
        let goesFirst = claim.address < address
        let wasShared = isNameShared
        isNameShared = false
        switch (isConfigured, claim.isConfigured) {
        case (true, false): return isOurs || hasSettled ? insist(isNew) : .nothing
        case (true, true) where isLinked && claim.isConnected:
            // Both obey stops; the one that speaks tells where they stand.
            isNameShared = true
            standing = goesFirst ? .silent : .ours
            return wasShared ? .nothing : .shareName
        case (true, true):
            if isLinked || !claim.isConnected && !goesFirst { return insist(isNew) }
            return isUnknown && life != .alive ? .nothing : yield()
        case (false, true): return life == .alive ? .giveUpName : .nothing
        case (false, false):
            let isLost =
                isLinked
                ? claim.isConnected && goesFirst && !claim.isStored
                : claim.isConnected || claim.isStored || goesFirst
            if isLost { return life == .alive ? .giveUpName : .nothing }
            return isLinked || isOurs ? insist(isNew) : .nothing
        }
    }

    private mutating func begin() -> Reaction {
        guard standing != .ours else { return .nothing }
        standing = .ours
        return .republish
    }

    private mutating func insist(_ isNew: Bool) -> Reaction {
        let reaction = begin()
        return reaction == .nothing && isNew ? .republishAgain : reaction
    }
}
