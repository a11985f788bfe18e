import BridgeContract
import Claims
import DeviceKit

// Moves of devices with a link to better hosts.
extension Simulation {
    static let moveCheck = Int.seconds(5)
    /// The time of a use of a device.
    private static let use = 5_000_000...60_000_000
    /// How much better another host must be for the promise to hold: the margin, the change that a bridge need not
    /// publish, and the difference between smoothed strengths.
    private static let neglect = 22.0
    private static let neglectLimit = Int.seconds(180)

    private var limits: BridgeSettings.Moves {
        var limits = scenario.moves
        if broken.contains(.moveMargin) { limits.margin = 1 }
        if broken.contains(.moveLimit) { limits.perHour = .max }
        return limits
    }

    /// Uses a device at random intervals.
    func occupy(_ device: Peripheral) {
        guard let interval = scenario.busyInterval else { return }
        timeline.after(random.time(mean: interval)) {
            device.busyEnd = self.now + self.random.time(Self.use)
            self.occupy(device)
        }
    }

    /// The time as a date.
    var date: TimeStamp { TimeStamp(milliseconds: Int64(now / 1000)) }

    // MARK: Bridge with the link

    /// Handles an advertisement of a device on the host with its link.
    func measure(_ host: Host, _ party: Party, _ strength: Double) {
        party.best.measured(Int(strength.rounded()), at: timeline.moment)
        if party.best.isProof(at: timeline.moment) { party.claim.advertisesLinked = true }
        considerMove(host, party)
    }

    func heard(_ host: Host, _ party: Party, _ offer: Offer) {
        party.choice.heard(offer, at: timeline.moment)
        guard let link = party.link, let said = party.claim.said, said.state == .linked,
            offer.epoch >= said.epoch
        else { return }
        party.best.heard(offer, at: timeline.moment)
        party.offers[offer.bridge] = (offer, now)
        if party.claim.advertisesLinked { answerOffer(host, party) } else { prove(host, party, link) }
    }

    private func answerOffer(_ host: Host, _ party: Party) {
        if party.best.isRepetitionDue(situation(party), at: timeline.moment) { say(host, party, again: true) }
        considerMove(host, party)
    }

    private func situation(_ party: Party) -> BestHost.Situation {
        BestHost.Situation(
            advertises: party.claim.advertisesLinked,
            isBusy: now < party.device.busyEnd && !broken.contains(.idle))
    }

    /// Proves the link by a read, because another bridge received an advertisement.
    private func prove(_ host: Host, _ party: Party, _ link: Link) {
        on(host, after: random.time(20_000...200_000)) {
            guard party.link === link, !link.isDead else { return }
            party.claim.advertisesLinked = true
            self.answerOffer(host, party)
        }
    }

    private func considerMove(_ host: Host, _ party: Party) {
        guard let link = party.link, party.claim.isSpeaking else { return }
        let device = party.device
        let situation = situation(party)
        if party.best.restate(situation, at: timeline.moment) { say(host, party, again: true) }
        if broken.contains(.offerAge) {
            for offer in party.offers.values { party.best.heard(offer.offer, at: timeline.moment) }
        }
        let own = party.best.score(situation, at: timeline.moment)
        guard let bridge = party.best.decide(situation, at: timeline.moment, by: limits) else { return }
        tell(device.index, host, "moves it to \(bridge)")
        checkMove(of: device, own: own, offer: party.offers[bridge])
        party.best.moved(to: bridge, at: timeline.moment, date: date)
        measures.moves += 1
        disconnect(link, .moved)
        party.choice.heard(
            Offer(bridge: bridge, address: device.address, score: 0, epoch: party.claim.highest),
            at: timeline.moment)
    }

    // MARK: Other bridges

    /// Whether a bridge must not connect to a device in range, because another bridge has the link although the device
    /// advertises. If it receives the device better, it offers to take it.
    func leavesToHolder(_ host: Host, _ party: Party) -> Bool {
        guard party.claim.advertisesElsewhere(host.neighbors) else { return false }
        let slots = scenario.slots - host.links.count
        let load = HostChoice.Load(isConnecting: host.attempt != nil, freeSlots: slots)
        if slots > 0, !broken.contains(.moveOffers),
            now - party.lastOffer >= BestHost.offerInterval.microseconds,
            let score = party.choice.score(load), limits.isBetter(score, than: party.claim.foreign?.score)
        {
            party.lastOffer = now
            let offer = Offer(
                bridge: host.id, address: party.device.address, score: score, epoch: party.claim.highest)
            send(host, .offer(device: party.device.index, offer))
        }
        return true
    }

    // MARK: Promises

    private func checkMove(of device: Peripheral, own: Int, offer: (offer: Offer, at: Int)?) {
        if now < device.busyEnd { report(.movedInUse, device, "") }
        let isBetter = offer.map { offer in
            now - offer.at <= .seconds(60) && scenario.moves.isBetter(offer.offer.score, than: own)
        }
        if isBetter != true {
            let age = offer.map { (now - $0.at).inSeconds }
            report(.noBetter, device, "\(own) to \(offer?.offer.score ?? 0) dBm, offered \(age ?? 0) s ago")
        }
        device.moves.append(now)
        device.moves.removeAll { now - $0 >= .seconds(3600) }
        // A bridge that restarts has forgotten the moves.
        let isCounted = scenario.faultInterval == nil
        if isCounted, device.moves.count > scenario.moves.perHour {
            report(.flapping, device, "\(device.moves.count)")
        }
    }

    func checkMoves() {
        timeline.after(Self.moveCheck) { self.checkMoves() }
        for device in devices {
            measures.samples += 1
            guard let link = device.links.first(where: { $0.ready != nil && !$0.isDead }) else {
                measures.withoutHost += 1
                device.neglectedSince = nil
                continue
            }
            let lag = self.lag(link)
            measures.lags.append(lag)
            checkNeglect(device, lag)
        }
    }

    private func checkNeglect(_ device: Peripheral, _ lag: Double) {
        let mayMove =
            now >= device.busyEnd
            && device.moves.count { now - $0 < .seconds(3600) } < scenario.moves.perHour
        guard device.isBeacon, mayMove, lag >= Self.neglect else { return device.neglectedSince = nil }
        let since = device.neglectedSince ?? now
        device.neglectedSince = since
        let time = now - since
        if time >= Self.neglectLimit, time - Self.moveCheck < Self.neglectLimit {
            report(.neglected, device, "\(Int(lag)) dB")
        }
    }
}
