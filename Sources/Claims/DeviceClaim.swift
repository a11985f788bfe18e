public import Bluetooth

/// Decides whether this bridge owns a device's topics: a pure state machine for one device.
///
/// A peripheral has one link, so the radio decides which bridge has the device. Claims only decide which bridge
/// publishes and obeys commands. A new link raises the epoch above the highest known epoch, and the claim with the
/// highest epoch wins. If another bridge claims this bridge's link, this bridge sends a read to the device, and raises
/// the epoch again if the device answers. If no bridge has a link, the last owner continues. If that owner is offline,
/// the first bridge by ``Rendezvous`` takes over.
///
/// Every input takes the current time. After each input, ``said`` is the claim that the bridge publishes on
/// `claim/<address>`.
public struct DeviceClaim: Sendable {
    private enum Standing: Hashable, Sendable { case undecided, speaking, silent }

    /// The id of this bridge.
    public let bridge: String
    /// The device's address.
    public let address: Address
    /// The highest epoch (link number) that was received or published.
    public private(set) var highest = 0
    /// The newest known claim of another bridge on the device.
    public private(set) var foreign: Claim?
    private var standing = Standing.undecided
    /// The epoch (link number) of this bridge's newest link; nil if the bridge had no link, or has not assigned an
    /// epoch to the link yet.
    private var own: Int?
    /// The epoch (link number) of the claim that this bridge publishes as the owner of the topics.
    private var spoken = 0
    /// Whether this bridge was the last owner of the topics.
    private var isLastSpeaker = false
    private var isLinked = false
    private var foreignEpoch = 0
    private var air = AirProof()
    /// Whether the device is known to advertise while it has a link.
    public var advertisesLinked = false
    private var proofs = ProofCount()
    private var answers = Answers()
    private var hasSettled = false
    /// When to call ``timeIsUp(_:at:)``, which takes over the topics or publishes a delayed claim; nil for never.
    public private(set) var deadline: Duration?

    /// Creates the state machine of a device about which nothing is known.
    public init(bridge: String, address: Address) {
        self.bridge = bridge
        self.address = address
    }

    /// Whether this bridge owns the topics: it publishes retained messages and obeys commands.
    public var isSpeaking: Bool { standing == .speaking }
    /// Whether another bridge owns the topics.
    public var isStandby: Bool { standing == .silent }
    /// Whether it is not known yet which bridge owns the topics.
    public var isUndecided: Bool { standing == .undecided }
    /// Whether another bridge has had the device since this bridge last had it.
    public var wasElsewhere: Bool { !isLinked && foreignEpoch > (own ?? 0) }

    /// The claim that this bridge publishes; nil while it publishes none.
    public var said: (epoch: Int, state: Claim.State)? {
        guard standing == .speaking, hasSettled, !isLinked || own != nil else { return nil }
        return (spoken, isLinked ? .linked : .released)
    }

    /// Whether this bridge must respond, because another bridge claims to have the link that this bridge has.
    public var isContested: Bool {
        isLinked && own != nil && foreign.map { $0.state == .linked && $0.rank > rank } ?? false
    }

    /// Whether another bridge has the link, as far as known, so that this bridge cannot connect.
    public func isHeldElsewhere(_ peers: Neighbors) -> Bool {
        guard let foreign, foreign.state == .linked, !isLinked else { return false }
        return !isVoid(foreign, peers)
    }

    private var rank: Claim.Rank { Claim.Rank(epoch: spoken, bridge: bridge) }

    // MARK: Broker

    /// Records that the broker connection is lost or new. The retained claims are unknown again.
    public mutating func listen() {
        hasSettled = false
        deadline = nil
        // Earlier claims no longer show which bridges are online: a broker may restore old retained messages.
        foreign?.isStored = true
        // A bridge that has the link stays the owner: its events wait for the broker.
        if !isLinked { standing = .undecided }
    }

    /// Records that all retained claims have arrived.
    public mutating func settle(_ peers: Neighbors, at now: Duration) -> Reaction {
        hasSettled = true
        guard isLinked, own == nil else { return judge(peers, at: now, isNew: false) }
        // When the link was established, the retained claims had not arrived, so its epoch was unknown. Now they have.
        raise()
        return begin()
    }

    // MARK: Link

    /// Records that this bridge has the link.
    public mutating func linked() -> Reaction {
        isLinked = true
        own = nil
        deadline = nil
        if hasSettled { raise() }
        return begin()
    }

    /// Records that this bridge no longer has the link.
    public mutating func unlinked(_ peers: Neighbors, at now: Duration) -> Reaction {
        isLinked = false
        proofs = ProofCount()
        return judge(peers, at: now, isNew: false)
    }

    private mutating func raise() {
        highest = min(highest + 1, Claim.highestEpoch)
        (own, spoken) = (highest, highest)
    }

    // MARK: Other bridges

    /// Handles a claim on the device. This bridge's own claims return as well.
    public mutating func heard(_ claim: Claim, _ peers: Neighbors, at now: Duration) -> Reaction {
        guard (0...Claim.highestEpoch).contains(claim.epoch) else { return .nothing }
        guard claim.bridge != bridge else { return heardOwn(claim, at: now) }
        highest = max(highest, claim.epoch)
        if let foreign, claim.rank < foreign.rank, !isVoid(foreign, peers) {
            // The claim is older than another bridge's claim that this bridge knows. If this bridge's own claim is
            // newer than both, this bridge answers; otherwise the bridge with the known claim answers.
            return isSpeaking && foreign.rank < rank ? answer(at: now) : .nothing
        }
        foreign = claim
        advertisesLinked = advertisesLinked || claim.score != nil
        foreignEpoch = max(foreignEpoch, claim.epoch)
        air.heard(claim, at: now)
        return judge(peers, at: now, isNew: true)
    }

    private mutating func heardOwn(_ claim: Claim, at now: Duration) -> Reaction {
        highest = max(highest, claim.epoch)
        if claim.isStored, standing == .undecided, !isLinked {
            // This bridge published the retained claim in an earlier run, or before it lost the broker.
            isLastSpeaker = true
            spoken = max(spoken, claim.epoch)
        }
        guard hasSettled, isLinked || !claim.isStored else { return .nothing }
        if isLinked {
            guard let own, claim.epoch <= own else { return own == nil ? .nothing : deny(at: now) }
            let isDenied = claim.state == .released && claim.epoch == own && !claim.isStored
            return isDenied && isSpeaking ? answer(at: now) : .nothing
        }
        // The claim is in this bridge's name, but this bridge did not publish it. Other bridges accept the claim and
        // stop publishing, so without a correction no bridge would own the topics.
        if isSpeaking {
            guard claim.epoch != spoken || claim.state == .linked else { return .nothing }
        } else if let foreign, claim.rank < foreign.rank {
            return .nothing
        }
        guard spoken < highest || !isSpeaking else { return answer(at: now) }
        spoken = highest
        return sayNew()
    }

    /// Raises the epoch above that of a claim in this bridge's name that this bridge did not publish. A pause limits
    /// the rate, because another process with this bridge's id would respond to each new epoch with a higher one.
    private mutating func deny(at now: Duration) -> Reaction {
        let reaction = isSpeaking ? answer(at: now) : .nothing
        if !isSpeaking || reaction == .sayAgain { raise() }
        return reaction
    }

    /// Records that the set of online bridges has changed.
    public mutating func reconsider(_ peers: Neighbors, at now: Duration) -> Reaction {
        judge(peers, at: now, isNew: false)
    }

    /// Records an advertisement from the device. A peripheral with a link does not advertise.
    public mutating func advertised(_ peers: Neighbors, at now: Duration) -> Reaction {
        guard let foreign, foreign.state == .linked, !isLinked, air.advertised(foreign, at: now) else {
            return .nothing
        }
        return judge(peers, at: now, isNew: false)
    }

    /// Takes over the topics or publishes a delayed claim, if the ``deadline`` has passed.
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
            // Until all retained claims have arrived, this bridge does not dispute the claim of another bridge.
            guard hasSettled, own != nil, foreign.rank > rank else {
                return insist(isNew && hasSettled, at: now)
            }
            if foreign.state == .linked { return .challenge }
            // The other bridge does not claim to have the link. Only the epoch of this bridge's claim is too low.
            raise()
            return sayNew()
        }
        // A claim of a bridge that may be offline decides nothing yet.
        guard peers.life(foreign) == .alive || isSpeaking else { return .nothing }
        guard isLastSpeaker, foreign.rank < rank else { return yield() }
        return hasSettled ? insist(isNew, at: now) : .nothing
    }

    /// No bridge has the link or owns the topics: the first bridge by ``Rendezvous`` takes over the topics.
    private mutating func ward(_ peers: Neighbors, at now: Duration, isNew: Bool) -> Reaction {
        guard hasSettled else { return .nothing }
        if isSpeaking {
            guard isNew, let foreign, foreign.rank > rank else { return insist(isNew, at: now) }
            // The other claim has a higher epoch, but it is void. This bridge publishes its claim once more, with the
            // same epoch. Further repetitions would not help against a bridge that answers each claim.
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
        // The other bridge's claim is discarded permanently. When that bridge returns, it may not know that it had the
        // device.
        foreign = nil
        return begin()
    }

    // MARK: Proof by the device

    /// Records that the device answered a read over this bridge's link, which was established at `since` (RFC 3339).
    public mutating func proved(since: String, at now: Duration) -> Reaction {
        guard isLinked, let foreign else { return .nothing }
        // Both links work, so the newer one is closed. Otherwise each would replace the other at every attempt.
        if proofs.proved(against: foreign) {
            advertisesLinked = true
            if foreign.isOlder(thanLinkOf: bridge, since: since) { return .drop }
        }
        raise()
        return sayNew()
    }

    /// Records that the device did not answer over this bridge's link, or that the link is left to another bridge.
    public mutating func refuted() -> Reaction {
        // If the other bridge's claim has ended in the meantime, this bridge must not yield, because no other bridge
        // would take over.
        guard let foreign, foreign.rank > rank else { return .nothing }
        return yield()
    }

    private mutating func begin() -> Reaction {
        guard standing != .speaking else { return .nothing }
        isLastSpeaker = true
        standing = .speaking
        return .republish
    }

    private mutating func insist(_ isNew: Bool, at now: Duration) -> Reaction {
        let reaction = begin()
        return reaction == .nothing && isNew ? answer(at: now) : reaction
    }

    private mutating func sayNew() -> Reaction {
        deadline = nil
        return begin() == .republish ? .republish : .sayAgain
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
