public import Bluetooth

/// Decides for one device, at one bridge, whether this bridge speaks for it: a pure state machine.
///
/// A peripheral has one link, so the air decides which bridge holds the device; claims only say which bridge speaks. A
/// new link raises the epoch above the highest one that is known, and the highest claim speaks. A bridge whose link is
/// claimed by another one asks the device, and raises the epoch anew if it answers. Without a link anywhere the bridge
/// that spoke last goes on, and if that is dead, the first one by ``Rendezvous``.
///
/// Every input takes the time. ``said`` tells what the bridge says on `claim/<address>` after it.
public struct DeviceClaim: Sendable {
    private enum Standing: Hashable, Sendable { case undecided, speaking, silent }

    /// This bridge's id.
    public let bridge: String
    /// The device's address.
    public let address: Address
    /// The highest epoch that was heard of or said.
    public private(set) var highest = 0
    /// The newest claim of another bridge.
    public private(set) var foreign: Claim?
    private var standing = Standing.undecided
    /// The epoch of the newest link of this bridge; nil if it had none, or has not said so yet.
    private var own: Int?
    /// The epoch that this bridge speaks at.
    private var spoken = 0
    /// Whether no other bridge has spoken since this one did.
    private var isLastSpeaker = false
    private var isLinked = false
    private var foreignEpoch = 0
    private var air = AirProof()
    private var proofs = ProofCount()
    private var answers = Answers()
    private var hasSettled = false
    /// When to call ``timeIsUp(_:at:)``: this bridge speaks then, or says again what it was too early for; nil for never.
    public private(set) var deadline: Duration?

    /// Makes the machine of a device that nothing is known of.
    public init(bridge: String, address: Address) {
        self.bridge = bridge
        self.address = address
    }

    /// Whether this bridge speaks: publishes what is retained, and obeys commands.
    public var isSpeaking: Bool { standing == .speaking }
    /// Whether another bridge speaks.
    public var isSilent: Bool { standing == .silent }
    /// Whether it is open who speaks.
    public var isUndecided: Bool { standing == .undecided }
    /// Whether another bridge had the device since this one had it last.
    public var wasElsewhere: Bool { !isLinked && foreignEpoch > (own ?? 0) }

    /// What the bridge says on the claim; nil while it says nothing.
    public var said: (epoch: Int, state: Claim.State)? {
        guard standing == .speaking, hasSettled, !isLinked || own != nil else { return nil }
        return (spoken, isLinked ? .linked : .released)
    }

    /// Whether another bridge's claim on this bridge's link is to be answered.
    public var isContested: Bool {
        isLinked && own != nil && foreign.map { $0.state == .linked && $0.rank > rank } ?? false
    }

    /// Whether another bridge has the link, as far as is known, so that there is nothing to connect to.
    public func isHeldElsewhere(_ peers: Neighbors) -> Bool {
        guard let foreign, foreign.state == .linked, !isLinked else { return false }
        return !isVoid(foreign, peers)
    }

    private var rank: Claim.Rank { Claim.Rank(epoch: spoken, bridge: bridge) }

    // MARK: The broker

    /// The connection to the broker is lost or new: nothing of what it has in store is known any more.
    public mutating func listen() {
        hasSettled = false
        deadline = nil
        // What was heard says no more who lives: a broker may come back with an old store.
        foreign?.isStored = true
        // A link goes on being spoken for: its events wait for the broker.
        if !isLinked { standing = .undecided }
    }

    /// All that the broker had in store has arrived.
    public mutating func settle(_ peers: Neighbors, at now: Duration) -> Reaction {
        hasSettled = true
        guard isLinked, own == nil else { return judge(peers, at: now, isNew: false) }
        // The link was made before its epoch could be known.
        raise()
        return begin()
    }

    // MARK: The link

    /// This bridge has the link.
    public mutating func linked() -> Reaction {
        isLinked = true
        own = nil
        deadline = nil
        if hasSettled { raise() }
        return begin()
    }

    /// This bridge has the link no more.
    public mutating func unlinked(_ peers: Neighbors, at now: Duration) -> Reaction {
        isLinked = false
        proofs = ProofCount()
        return judge(peers, at: now, isNew: false)
    }

    private mutating func raise() {
        highest = min(highest + 1, Claim.highestEpoch)
        (own, spoken) = (highest, highest)
    }

    // MARK: Others

    /// A bridge says something on the device's claim; this bridge's own words come back as well.
    public mutating func heard(_ claim: Claim, _ peers: Neighbors, at now: Duration) -> Reaction {
        guard (0...Claim.highestEpoch).contains(claim.epoch) else { return .nothing }
        guard claim.bridge != bridge else { return heardOwn(claim, at: now) }
        highest = max(highest, claim.epoch)
        if let foreign, claim.rank < foreign.rank, !isVoid(foreign, peers) {
            // Older than what is known. One that knows of a newer claim itself leaves the answer to that bridge.
            return isSpeaking && foreign.rank < rank ? answer(at: now) : .nothing
        }
        foreign = claim
        foreignEpoch = max(foreignEpoch, claim.epoch)
        air.heard(claim, at: now)
        return judge(peers, at: now, isNew: true)
    }

    private mutating func heardOwn(_ claim: Claim, at now: Duration) -> Reaction {
        highest = max(highest, claim.epoch)
        if claim.isStored, standing == .undecided, !isLinked {
            // From before this program started, or before it lost the broker.
            isLastSpeaker = true
            spoken = max(spoken, claim.epoch)
        }
        guard hasSettled, isLinked || !claim.isStored else { return .nothing }
        if isLinked {
            guard let own, claim.epoch <= own else { return own == nil ? .nothing : deny(at: now) }
            let isDenied = claim.state == .released && claim.epoch == own && !claim.isStored
            return isDenied && isSpeaking ? answer(at: now) : .nothing
        }
        // A claim in this bridge's name that does not hold: the others believe it, and nobody would speak.
        if isSpeaking {
            guard claim.epoch != spoken || claim.state == .linked else { return .nothing }
        } else if let foreign, claim.rank < foreign.rank {
            return .nothing
        }
        guard spoken < highest || !isSpeaking else { return answer(at: now) }
        spoken = highest
        return sayNew()
    }

    /// Raises the epoch over what this bridge did not say, after a pause if it has just done so: another program of its
    /// id would answer each new epoch with one of its own.
    private mutating func deny(at now: Duration) -> Reaction {
        let reaction = isSpeaking ? answer(at: now) : .nothing
        if !isSpeaking || reaction == .sayAgain { raise() }
        return reaction
    }

    /// Something else is known of which bridges live.
    public mutating func reconsider(_ peers: Neighbors, at now: Duration) -> Reaction {
        judge(peers, at: now, isNew: false)
    }

    /// This bridge heard the device advertise, which a peripheral with a link does not.
    public mutating func advertised(_ peers: Neighbors, at now: Duration) -> Reaction {
        guard let foreign, foreign.state == .linked, !isLinked, air.advertised(foreign, at: now) else {
            return .nothing
        }
        return judge(peers, at: now, isNew: false)
    }

    /// The ``deadline`` may be over.
    public mutating func timeIsUp(_ peers: Neighbors, at now: Duration) -> Reaction {
        guard let deadline, now >= deadline else { return .nothing }
        if isSpeaking {
            self.deadline = nil
            let isDenied = isLinked && own.map { highest > max($0, foreignEpoch) } ?? false
            return isDenied ? deny(at: now) : answer(at: now)
        }
        return judge(peers, at: now, isNew: false)
    }

    private func isVoid(_ claim: Claim, _ peers: Neighbors) -> Bool {
        air.isVoid(claim) || peers.life(claim) == .dead
    }

    private mutating func judge(_ peers: Neighbors, at now: Duration, isNew: Bool) -> Reaction {
        guard let foreign, !isVoid(foreign, peers) else {
            guard isLinked else { return ward(peers, at: now, isNew: isNew) }
            return insist(isNew, at: now)
        }
        if !isSpeaking { deadline = nil }
        if isLinked {
            // Until all is known that is in store, nothing is said against others.
            guard hasSettled, own != nil, foreign.rank > rank else {
                return insist(isNew && hasSettled, at: now)
            }
            if foreign.state == .linked { return .challenge }
            // Nobody doubts the link; only its epoch is too low to be heard.
            raise()
            return sayNew()
        }
        // That of a bridge which may be dead decides nothing yet.
        guard peers.life(foreign) == .alive || isSpeaking else { return .nothing }
        guard isLastSpeaker, foreign.rank < rank else { return yield() }
        return hasSettled ? insist(isNew, at: now) : .nothing
    }

    /// Nobody has the link, and nobody speaks: the first one does.
    private mutating func ward(_ peers: Neighbors, at now: Duration, isNew: Bool) -> Reaction {
        guard hasSettled else { return .nothing }
        if isSpeaking {
            guard isNew, let foreign, foreign.rank > rank else { return insist(isNew, at: now) }
            // Said once, at its epoch; more would be no use against one that answers.
            defer { spoken = highest }
            return spoken < highest ? .sayAgain : .nothing
        }
        if !isLastSpeaker {
            let due =
                deadline
                ?? now + Rendezvous.pause(Rendezvous.place(of: bridge, among: peers.online(), for: address))
            guard now >= due else {
                deadline = due
                return .nothing
            }
        }
        deadline = nil
        spoken = highest
        // Over for good: a bridge that comes back may not know that it had the device.
        foreign = nil
        return begin()
    }

    // MARK: The device's word

    /// The device answered over this bridge's link.
    ///
    /// - Parameter since: Since when the link is there, in RFC 3339.
    public mutating func proved(since: String, at now: Duration) -> Reaction {
        guard isLinked, let foreign else { return .nothing }
        // The older link stays: a younger one would change with the other bridge's at each new try.
        if proofs.proved(against: foreign), foreign.isOlder(thanLinkOf: bridge, since: since) {
            return .drop
        }
        raise()
        return sayNew()
    }

    /// The device did not answer over this bridge's link, or the link is left to another bridge.
    public mutating func refuted() -> Reaction {
        // A claim that is over meanwhile silences nobody: no other bridge would speak.
        guard let foreign, foreign.rank > rank else { return .nothing }
        return yield()
    }

    private mutating func begin() -> Reaction {
        guard standing != .speaking else { return .nothing }
        isLastSpeaker = true
        standing = .speaking
        return .speak
    }

    private mutating func insist(_ isNew: Bool, at now: Duration) -> Reaction {
        let reaction = begin()
        return reaction == .nothing && isNew ? answer(at: now) : reaction
    }

    private mutating func sayNew() -> Reaction {
        deadline = nil
        return begin() == .speak ? .speak : .sayAgain
    }

    private mutating func answer(at now: Duration) -> Reaction {
        deadline = answers.due(at: now)
        return deadline == nil ? .sayAgain : .nothing
    }

    private mutating func yield() -> Reaction {
        isLastSpeaker = false
        deadline = nil
        defer { standing = .silent }
        return standing == .silent ? .nothing : .beSilent
    }
}
