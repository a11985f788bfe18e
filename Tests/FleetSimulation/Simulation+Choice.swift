import Claims

// The choice of the host that connects.
extension Simulation {
    /// The time without an advertisement, and the total time, after which an attempt fails.
    private static let silence = Int.seconds(2)
    private static let longest = Int.seconds(8)
    /// The maximum age of the last advertisement for an attempt to connect.
    private static let freshness = Int.seconds(3)

    func heard(_ host: Host, _ device: Peripheral, _ strength: Double) {
        let party = party(host, device)
        party.lastHeard = now
        party.choice.heard(rssi: Int(strength.rounded()))
        guard party.link == nil else { return measure(host, party, strength) }
        act(host, party, party.claim.advertised(host.neighbors, at: timeline.moment))
        if !leavesToHolder(host, party) { consider(host, party) }
    }

    private func mayConnect(_ host: Host, _ party: Party) -> Bool {
        party.link == nil && now >= party.notBefore && now - party.lastHeard < Self.freshness
            && host.links.count < scenario.slots && !party.claim.isHeldElsewhere(host.neighbors)
    }

    private func consider(_ host: Host, _ party: Party) {
        guard !party.isQueued, host.attempt?.party !== party, mayConnect(host, party) else { return }
        let policy = scenario.policy
        guard !policy.isAtOnce else { return begin(host, party) }
        let load = HostChoice.Load(
            isConnecting: host.attempt != nil, freeSlots: scenario.slots - host.links.count)
        let step = party.choice.decide(
            load, isAlone: !host.hasOthers, chance: random.unit(), at: timeline.moment, by: policy.tuning)
        switch step {
        case .full: break
        case .wait(let end, _):
            let time = end.microseconds
            if let planned = party.decision, planned <= time { return }
            party.decision = time
            on(host, after: max(0, time - now)) {
                guard party.decision == time else { return }
                party.decision = nil
                self.consider(host, party)
            }
        case .connect(let score):
            if let score, policy.hasOffers {
                let offer = Offer(
                    bridge: host.id, address: party.device.address, score: score, epoch: party.claim.highest)
                send(host, .offer(device: party.device.index, offer))
            }
            begin(host, party)
        }
    }

    private func begin(_ host: Host, _ party: Party) {
        party.decision = nil
        guard host.attempt != nil else { return connect(host, party) }
        // An adapter has one attempt at a time.
        party.isQueued = true
        host.queue.append(party)
    }

    private func connect(_ host: Host, _ party: Party) {
        let attempt = Attempt(party: party, start: now)
        host.attempt = attempt
        measures.attempts += 1
        watch(host, attempt)
    }

    private func watch(_ host: Host, _ attempt: Attempt) {
        let end = min(attempt.lastHeard + Self.silence, attempt.start + Self.longest)
        on(host, after: max(0, end - now)) {
            guard !attempt.isOver, attempt.link == nil else { return }
            if self.now >= min(attempt.lastHeard + Self.silence, attempt.start + Self.longest) {
                self.giveUp(host, attempt)
            } else {
                self.watch(host, attempt)
            }
        }
    }

    /// Ends an attempt without a link.
    func giveUp(_ host: Host, _ attempt: Attempt) {
        attempt.isOver = true
        host.attempt = nil
        connectNext(host)
    }

    func connectNext(_ host: Host) {
        while host.attempt == nil, !host.queue.isEmpty {
            let party = host.queue.removeFirst()
            party.isQueued = false
            if mayConnect(host, party) { connect(host, party) }
        }
    }
}
