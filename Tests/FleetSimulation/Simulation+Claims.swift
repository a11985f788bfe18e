import Claims

// The messages that a bridge receives from others, and the consequences of its claims.
extension Simulation {
    /// How long retained messages of bridges without another message are valid.
    private static let patience = Int.seconds(2)

    /// Handles the end of the retained messages.
    func settle(_ host: Host) {
        tell(nil, host, "has settled")
        host.hasSettled = true
        host.patienceEnd = broken.contains(.settling) ? nil : now + Self.patience
        for party in ordered(host) {
            act(host, party, party.claim.settle(host.neighbors, at: timeline.moment))
        }
        guard let end = host.patienceEnd, let session = host.session else { return }
        on(host, after: Self.patience) {
            guard host.session == session, host.patienceEnd == end else { return }
            self.reconsider(host) { _ in true }
        }
    }

    private func reconsider(_ host: Host, where regards: (Party) -> Bool) {
        guard host.hasSettled else { return }
        for party in ordered(host) where regards(party) {
            act(host, party, party.claim.reconsider(host.neighbors, at: timeline.moment))
        }
    }

    /// Handles the `availability` of another bridge.
    func heard(_ host: Host, availability isOnline: Bool, of other: Int) {
        guard other != host.index else { return }
        tell(nil, host, "hears that \(other) is \(isOnline ? "there" : "gone")")
        host.heard(availability: isOnline, of: other, isStored: false)
        let id = Host.id(other)
        reconsider(host) { $0.claim.foreign?.bridge == id }
        guard isOnline, !host.willAnswer else { return }
        // A new bridge must be informed which bridges are online, once for all bridges that start together. The intent
        // of a device must be published again to be valid.
        host.willAnswer = true
        on(host, after: .milliseconds(250)) {
            host.willAnswer = false
            self.send(host, .here(host: host.index))
            for party in self.ordered(host) where party.intent != nil { self.say(host, party, again: true) }
        }
    }

    /// Handles the `info` of another bridge, which shows that it is online.
    func heard(_ host: Host, infoOf other: Int) {
        guard other != host.index else { return }
        host.heard(infoOf: other)
        let id = Host.id(other)
        reconsider(host) { $0.claim.foreign?.bridge == id }
    }

    func heard(_ host: Host, _ party: Party, _ claim: Claim, _ intent: Intent?) {
        let isOwn = claim.bridge == host.id
        if !isOwn, broken.contains(.yield) { return }
        if isOwn, !claim.isStored, broken.contains(.ownName) { return }
        let (peers, moment) = (host.neighbors, timeline.moment)
        var heard = claim
        if broken.contains(.epochs), !isOwn {
            // The last claim counts as the newest.
            heard.epoch = party.claim.highest + (claim.isStored || claim.state == .released ? 0 : 1)
        }
        let reaction = party.claim.heard(heard, peers, at: moment)
        let device = party.device.index
        tell(
            device, host,
            "hears \(claim.isStored ? "stored " : "")\(claim.bridge) \(claim.epoch) \(claim.state): \(reaction)"
        )
        if !isOwn, party.claim.foreign?.rank == claim.rank { party.foreignIntent = intent }
        if !isOwn, !broken.contains(.moveCount) { party.best.heard(claim, at: moment, date: date) }
        act(host, party, reaction)
        if claim.state == .linked, party.claim.isHeldElsewhere(peers) {
            party.choice.reset()
            if scenario.policy.isCancelled, let attempt = host.attempt, attempt.party === party,
                attempt.link == nil
            {
                giveUp(host, attempt)
            }
        }
    }

    // MARK: Reactions

    func act(_ host: Host, _ party: Party, _ reaction: DeviceClaim.Reaction) {
        if reaction != .nothing { tell(party.device.index, host, "does \(reaction)") }
        switch reaction {
        case .nothing, .republish, .sayAgain: break
        case .beSilent: party.intent = nil
        case .challenge: challenge(host, party)
        case .drop:
            _ = party.claim.refuted()
            party.notBefore = now + .seconds(30)
            if let link = party.link { disconnect(link) }
        }
        say(host, party, again: reaction == .sayAgain || reaction == .republish)
        guard let deadline = party.claim.deadline, party.deadline != deadline, !broken.contains(.warden)
        else { return }
        party.deadline = deadline
        on(host, after: max(0, deadline.microseconds - now)) {
            party.deadline = nil
            self.act(host, party, party.claim.timeIsUp(host.neighbors, at: self.timeline.moment))
        }
    }

    /// Publishes the bridge's claim if it has changed.
    func say(_ host: Host, _ party: Party, again: Bool) {
        guard host.session != nil, let said = party.claim.said else { return }
        if !again, let before = party.said, before == said { return }
        party.said = said
        tell(party.device.index, host, "says \(said.epoch) \(said.state)")
        let claim = Claim(
            bridge: host.id, epoch: said.epoch, state: said.state,
            since: party.link?.since, adapter: "hci0", score: said.state == .linked ? party.best.stated : nil,
            moves: party.best.moves)
        party.intent?.epoch = said.epoch
        send(host, .claim(device: party.device.index, claim, party.intent))
    }

    private func challenge(_ host: Host, _ party: Party) {
        guard !party.isChallenging, let link = party.link else { return }
        if broken.contains(.challenge) { return act(host, party, party.claim.refuted()) }
        party.isChallenging = true
        measures.challenges += 1
        on(host, after: link.isDead ? .seconds(1) : random.time(20_000...200_000)) {
            party.isChallenging = false
            guard party.link === link else { return }
            guard link.isDead else {
                let reaction = party.claim.proved(since: link.since, at: self.timeline.moment)
                return self.act(host, party, reaction)
            }
            self.act(host, party, party.claim.refuted())
            self.disconnect(link)
        }
    }
}

extension Duration {
    /// The duration in whole microseconds, rounded up, so that a call at that time is not too early.
    var microseconds: Int {
        let (seconds, rest) = components
        return Int(seconds) * 1_000_000 + Int((rest + 999_999_999_999) / 1_000_000_000_000)
    }
}
