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

    /// This bridge's id.
    public let bridge: String
    /// The device's address.
    public let address: Address
    /// The highest epoch (link number) that was received or published.
    public private(set) var highest = 0
    /// The newest known claim of another bridge on the device.
    public private(set) var foreign: Claim?
    private var standing = Standing.undecided
    /// The epoch (number) of this bridge's newest link; nil if the bridge had no link, or has not published the epoch
    /// yet.
    private var own: Int?
    /// The epoch (link number) of the claim with which this bridge owns the topics.
    private var spoken = 0
    /// Whether this bridge was the last owner of the topics.
    private var isLastSpeaker = false
    private var isLinked = false
    private var foreignEpoch = 0
    private var air = AirProof()
    private var proofs = ProofCount()
    private var answers = Answers()
    private var hasSettled = false
    /// When to call ``timeIsUp(_:at:)``: this bridge takes over then, or publishes a delayed claim; nil for never.
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
    /// Whether the owner is unknown.
    public var isUndecided: Bool { standing == .undecided }
    /// Whether another bridge has had the device since this bridge last had it.
    public var wasElsewhere: Bool { !isLinked && foreignEpoch > (own ?? 0) }

    /// The claim that this bridge publishes; nil while it publishes none.
    public var said: (epoch: Int, state: Claim.State)? {
        guard standing == .speaking, hasSettled, !isLinked || own != nil else { return nil }
        return (spoken, isLinked ? .linked : .released)
    }

    /// Whether this bridge must respond to another bridge's claim on its link.
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
        // The link was established before the retained claims showed which epoch it gets.
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
            // The claim is older than the known claim of another bridge. If that known claim is also newer than this
            // bridge's claim, the other bridge answers.
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
            // This bridge published the claim before the program started, or before it lost the broker.
            isLastSpeaker = true
            spoken = max(spoken, claim.epoch)
        }
        guard hasSettled, isLinked || !claim.isStored else { return .nothing }
        if isLinked {
            guard let own, claim.epoch <= own else { return own == nil ? .nothing : deny(at: now) }
            let isDenied = claim.state == .released && claim.epoch == own && !claim.isStored
            return isDenied && isSpeaking ? answer(at: now) : .nothing
        }
        // The claim is in this bridge's name, but this bridge did not publish it. Other bridges accept the claim, so
        // that no bridge would own the topics.
        if isSpeaking {
            guard claim.epoch != spoken || claim.state == .linked else { return .nothing }
        } else if let foreign, claim.rank < foreign.rank {
            return .nothing
        }
        guard spoken < highest || !isSpeaking else { return answer(at: now) }
        spoken = highest
        return sayNew()
    }

    /// Raises the epoch above a claim that this bridge did not publish, after a pause if it has just raised the epoch.
    /// Another process with this bridge's id would respond to each new epoch with its own.
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

    /// Acts if the ``deadline`` has passed.
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
            // Until all retained claims have arrived, this bridge disputes no claim.
            guard hasSettled, own != nil, foreign.rank > rank else {
                return insist(isNew && hasSettled, at: now)
            }
            if foreign.state == .linked { return .challenge }
            // The link is not disputed; only its epoch is too low.
            raise()
            return sayNew()
        }
        // A claim of a bridge that may be offline decides nothing yet.
        guard peers.life(foreign) == .alive || isSpeaking else { return .nothing }
        guard isLastSpeaker, foreign.rank < rank else { return yield() }
        return hasSettled ? insist(isNew, at: now) : .nothing
    }

    /// No bridge has the link or owns the topics: the first bridge by ``Rendezvous`` takes over.
    private mutating func ward(_ peers: Neighbors, at now: Duration, isNew: Bool) -> Reaction {
        guard hasSettled else { return .nothing }
        if isSpeaking {
            guard isNew, let foreign, foreign.rank > rank else { return insist(isNew, at: now) }
            // This bridge publishes its claim once, at the epoch of the other claim. Repeated claims would not help
            // against a bridge that answers each claim.
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

    /// Records that the device answered over this bridge's link.
    ///
    /// - Parameter since: When the link was established, in RFC 3339.
    public mutating func proved(since: String, at now: Duration) -> Reaction {
        guard isLinked, let foreign else { return .nothing }
        // The older link stays. If the newer link stayed, the two bridges would replace each other's link at every
        // attempt.
        if proofs.proved(against: foreign), foreign.isOlder(thanLinkOf: bridge, since: since) {
            return .drop
        }
        raise()
        return sayNew()
    }

    /// Records that the device did not answer over this bridge's link, or that the link is left to another bridge.
    public mutating func refuted() -> Reaction {
        // A claim that has ended must not make this bridge yield, because no other bridge would take over.
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
