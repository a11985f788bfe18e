import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// A connected device moves to another host that receives it better, or that the roster prefers.
extension DeviceSession {
    /// How long a device that reported an event stays where it is, because further events may follow.
    private static let eventPause = Duration.seconds(5)

    /// Whether the device can have a Bluetooth connection to another host instead of this host.
    private var mayMove: Bool {
        family.advertising == nil && visiting == nil && !connector.supervision.isOnRequest
    }

    /// Whether this bridge compares how well its host and others receive the device, which advertises while connected.
    var comparesHosts: Bool {
        ownership.device.advertisesLinked && mayMove && !context.neighbors.online().isEmpty
    }

    /// Whether the device is being used, so that it must not lose its Bluetooth connection.
    private var isInUse: Bool {
        isBusy || machine.hasPower || groupValues.isPlaying
            || lastEvent.map { now - $0 < Self.eventPause } ?? false
            || family.handedOver.contains { feature in
                publisher.state(feature).map { family.isHandedOver(feature, $0) } ?? false
            }
    }

    /// The conditions of a move, apart from signal strengths.
    private var situation: BestHost.Situation {
        var situation = BestHost.Situation(advertises: ownership.device.advertisesLinked, isBusy: isInUse)
        if prefersOthers {
            let online = Set(context.neighbors.online())
            situation.preferred = context.preferred().filter { online.contains($0) }
        }
        return situation
    }

    private var prefersOthers: Bool {
        let preferred = context.preferred()
        return !preferred.isEmpty && !preferred.contains(ownership.bridge)
    }

    // MARK: On the bridge that has the device

    /// Records how well this host received an advertisement of the connected device. The strength that the host reports
    /// with other changes of a device to which it is connected is not new.
    func noteSignal(_ rssi: Int) {
        guard mayMove, connector.isInUse else { return }
        best.measured(rssi, at: now)
        if best.isProof(at: now) { noteAdvertisesLinked() }
        considerMove()
    }

    private func noteAdvertisesLinked() {
        guard !ownership.device.advertisesLinked else { return }
        publisher.ownership.advertisedLinked()
        context.changed(.offering)
    }

    /// Handles the offer of another bridge. If it was made during this link, the other bridge received an advertisement,
    /// although a device without a second link does not advertise. So a read proves this link first.
    func considerMoving(to offer: Offer) {
        guard mayMove, connector.isInUse, let said = ownership.said, said.state == .linked,
            offer.epoch >= said.epoch
        else { return }
        best.heard(offer, at: now)
        guard ownership.device.advertisesLinked else {
            if !(driver?.isProving ?? false) { askForProof() }
            return
        }
        answerOffer()
    }

    /// Handles that a read proved the link after another bridge received an advertisement.
    func provedOnAir() {
        noteAdvertisesLinked()
        answerOffer()
    }

    /// Repeats the claim, which informs the other bridges that the device advertises although it is connected.
    private func answerOffer() {
        if best.isRepetitionDue(situation, at: now) { sendClaim(isRepeated: true) }
        considerMove()
    }

    /// Moves the device to another bridge, if that is better and the device is not being used.
    func considerMove() {
        guard mayMove, connector.isInUse, ownership.isOurs else { return }
        let situation = situation
        if best.restate(situation, at: now) { reportConnection() }
        if situation.advertises || prefersOthers, !clock.runs(.move) {
            startTimer(.move, at: now + BestHost.offerInterval)
        }
        guard let bridge = best.decide(situation, at: now, by: context.moves()) else { return }
        logger.info(
            "the device moves to a better host", metadata: ["bridge": "\(bridge)"],
            source: LogSubsystem.links.rawValue)
        best.moved(to: bridge, at: now, date: context.time.date)
        connector.leave(to: Connector.Successor(bridge: bridge, sharesLink: false))
        part()
    }

    /// Handles that the device is no longer connected.
    func endComparison() {
        best.unlinked()
        clock.cancel(.move)
    }

    /// Gives the bridge to which this bridge moved the device time to connect, as if that bridge had made the best
    /// offer.
    func awaitSuccessor() {
        guard let bridge = best.successor else { return }
        choice.heard(
            Offer(bridge: bridge, address: address, score: 0, epoch: ownership.device.highest), at: now)
    }

    // MARK: On the other bridges

    /// Whether this bridge must not connect, because another bridge is connected to the device although it advertises.
    /// If this host receives the device clearly better, this bridge offers to take it.
    func leavesToHolder(_ advertisement: Advertisement) -> Bool {
        guard mayMove, connector.linked == nil, !advertisement.isConnected,
            ownership.device.advertisesElsewhere(context.neighbors)
        else { return false }
        let load = load(context.neighbors.online(), lacksBond: connector.supervision.bond.isLacking)
        if advertisement.rssi != nil, connector.supervision.wantsDiscovery, load.freeSlots ?? 1 > 0,
            let score = choice.score(load),
            context.moves().isBetter(score, than: ownership.device.foreign?.score),
            receivers.isOfferDue(every: BestHost.offerInterval, at: now)
        {
            sendOffer(score)
        }
        return true
    }
}
