import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging
import Messages

// Only one of the bridges on a broker owns a device and publishes on its topics.
extension DeviceSession {
    /// How long retained claims may take after the broker was connected, if no marker (an echo after the subscriptions)
    /// shows that all have arrived.
    private static let listeningTime = Duration.seconds(5)
    /// How long messages of another bridge may arrive after its claim on the device.
    private static let transitTime = Duration.seconds(1)

    /// Handles a new broker connection. Retained claims of other bridges arrive now; ``settleOwnership()`` follows when
    /// all have arrived.
    func brokerConnected() {
        publisher.hasBroker = true
        awaitRecall()
        publisher.ownership.listen()
        startTimer(.ownership, at: now + Self.listeningTime)
    }

    /// Handles the loss of the broker: stops a motion that needs the broker.
    func brokerLost() {
        publisher.hasBroker = false
        clock.cancel(.ownership)
        clock.cancel(.ownershipDeadline)
        awaitRecall()
        withholdTopics()
        publisher.ownership.listen()
        feed(.stop(.brokerLost))
    }

    /// Removes messages from the broker queue that may be wrong once the broker is connected again, because another
    /// bridge may have taken over the device. For a disconnected device these are all messages, for a connected device
    /// only the claim.
    private func withholdTopics() {
        if let topic = publisher.releaseClaim() { context.broker.release([topic]) }
        if !holdsLink { context.broker.release(publisher.outgoing) }
    }

    /// Handles that all retained claims have arrived.
    ///
    /// - Returns: Whether the caller must call ``republish()``. The caller calls it once the claims of all devices are
    ///   published, so that a bridge that comes online first receives the owner of each device.
    func settleOwnership() -> Bool {
        guard publisher.hasBroker else { return false }
        clock.cancel(.ownership)
        let reaction = publisher.ownership.settle(context.neighbors, isLinked: holdsLink, at: now)
        react(reaction, republishesLater: true)
        return reaction == .republish && ownership.isOurs
    }

    /// Handles a bridge's claim on the device.
    ///
    /// - Parameter arrival: When the claim arrived; in the past if the bridge added the device after that.
    func heard(_ message: ClaimMessage, arrival: Duration) {
        let claim = message.claim
        noteActions(message, arrival: arrival)
        if claim.bridge != ownership.bridge { best.heard(claim, at: now, date: context.time.date) }
        if claim.state == .linked, claim.bridge != ownership.bridge, !claim.isStored { leaveToHolder() }
        react(publisher.heard(claim, context.neighbors, at: now))
        if ownership.contested == nil { endProof() }
        if claim.state == .released, claim.bridge != ownership.bridge { advertisingReleased() }
    }

    /// Handles that a device of another bridge has the same name as this device.
    func heard(_ rival: NameRival) {
        react(publisher.heard(rival, context.neighbors, isLinked: holdsLink))
        if ownership.contested == nil { endProof() }
    }

    /// Handles that another device no longer has the same name as this device.
    func nameLeft(by other: Address) {
        react(publisher.ownership.nameLeft(by: other, context.neighbors, isLinked: holdsLink))
    }

    /// Handles that another bridge has connected to the device. Earlier advertisements no longer count, and an attempt
    /// to connect is canceled because it cannot succeed.
    private func leaveToHolder() {
        choice.reset()
        connector.heldElsewhere()
        if connector.isConnecting { context.radio.cancelConnecting(address) }
    }

    /// Reevaluates the ownership after a change of the online bridges or of this bridge's Bluetooth connection.
    func reconsiderOwnership() {
        if let foreign = ownership.device.foreign, context.neighbors.life(foreign) == .dead {
            handOver.holderDied(at: now)
            handOverWatch.holderDied(at: now)
        }
        react(publisher.ownership.reconsider(context.neighbors, isLinked: holdsLink, at: now))
    }

    /// Takes over the device if no other bridge has done so by the deadline of its ownership.
    func ownershipDeadlineReached() { react(publisher.ownership.timeIsUp(context.neighbors, at: now)) }

    /// Makes this bridge the owner of the device, since the device is online on this bridge.
    func speakAsHolder() {
        status.hold(true, at: context.time.date)
        react(publisher.ownership.linked(context.neighbors))
    }

    /// Handles that the device is no longer online on this bridge.
    func endHolding() {
        status.hold(false, at: context.time.date)
        react(publisher.ownership.unlinked(context.neighbors, at: now))
    }

    /// Handles an advertisement, which shows that no bridge is connected to the device.
    func noteAdvertising() {
        handOverWatch.advertised(at: now)
        react(publisher.ownership.advertised(context.neighbors, at: now))
    }

    /// Whether this bridge is connected to the device and stays connected, or visits the device.
    var holdsLink: Bool { connector.isReady && connector.isKept || visitedAt != nil }

    private var claimant: Logger.Metadata { ["bridge": "\(publisher.claimant ?? "none")"] }

    /// Reacts to a change of the ownership. The claim is published first. Other bridges then stop publishing before
    /// this bridge overwrites their messages.
    ///
    /// - Parameter republishesLater: Whether the caller calls ``republish()``.
    func react(_ reaction: TopicOwnership.Reaction, republishesLater: Bool = false) {
        sendClaim(isRepeated: reaction == .republish)
        switch reaction {
        case .nothing: break
        case .republish: if !republishesLater { republish() }
        case .republishAgain: republishAgain()
        case .prove: contestClaim()
        case .drop: if let claim = ownership.device.foreign { yieldDevice(to: claim, sharesLink: false) }
        case .yield:
            // A bridge that starts receives the claim of another bridge for each device that it does not own, so
            // `debug` is enough.
            let level: Logger.Level = publisher.outgoing.isEmpty ? .debug : .info
            logger.log(
                level: level, "another bridge controls the device; this bridge publishes nothing for it",
                metadata: claimant)
            standDown()
        case .giveUpName: context.changed(.nameTaken)
        case .shareName: shareName()
        }
        if [.republish, .republishAgain].contains(reaction), publisher.ownership.takeLateRival() {
            startTimer(.contest, at: now + Self.transitTime)
        }
        if let deadline = ownership.deadline { startTimer(.ownershipDeadline, at: deadline) }
        if !ownership.isStandby, connector.takeBack() { proceed() }
        noteOffering()
        takeWaiting()
    }

    private func shareName() {
        guard let rival = ownership.nameRival else { return }
        logger.error(
            "another configured device has the same name: both accept only stops until you rename one",
            metadata: ["bridge": "\(rival.claim.bridge)", "address": "\(rival.address)"])
        context.changed(.nameShared(with: rival))
        guard !ownership.isOurs else { return republishAgain() }
        releaseTopics()
    }

    /// Publishes the claim on the device if it changed or `isRepeated` is set.
    func sendClaim(isRepeated: Bool) {
        guard publisher.hasBroker, context.mayClaim() else { return }
        let lastWord = publisher.hasClaim ? ownership.lastWord : nil
        guard let said = ownership.said ?? lastWord else { return }
        let isLinked = said.state == .linked
        let claim = Claim(
            bridge: ownership.bridge, epoch: said.epoch, state: said.state,
            since: status.heldSince.description,
            adapter: isLinked ? connector.linked?.adapter : nil, name: lastWord == nil ? name : nil,
            family: family.name, isConfigured: ownership.isConfigured,
            score: isLinked ? best.stated : nil, moves: best.moves)
        let message = ClaimMessage(claim: claim, intent: intent)
        guard let publication = publisher.publish(message, isRepeated: isRepeated) else { return }
        if publication.isNewTopic { context.changed(.published(topic: publication.message.topic)) }
        // A claim is a message between bridges, and not a message of the device, so no recording contains it.
        context.broker.publish(publication.message)
    }

    /// Publishes all retained messages again, at a limited rate.
    func republishAgain() {
        switch publisher.repeatAll(at: now) {
        case .none: break
        case .later(let moment): startTimer(.contest, at: moment)
        case .now(let messages):
            logger.warning(
                "another bridge publishes for this device too; publishing all states again",
                metadata: claimant)
            sendClaim(isRepeated: true)
            send(messages)
            context.changed(.described)
        }
    }

    /// Renames the device, for example because a device of another bridge has its name.
    func rename(_ name: String) {
        releaseTopics()
        leaveRecall()
        endProof()
        publisher.rename(name)
        logger[metadataKey: "device"] = "\(name)"
        moveRecall()
        reportAll()
        if holdsLink { republish() }
        takeWaiting()
    }

    // MARK: Standby

    /// Publishes and writes nothing more for the device, because another bridge now controls it.
    func standDown() {
        endProof()
        releaseTopics()
        context.changed(.silent)
        if link == nil { forgetWishes() }
    }

    /// Replaces the state machine by a new one, as after a restart. The goals that the device had on this bridge are
    /// outdated, because another bridge has controlled the device since.
    func forgetWishes() {
        failPending(CommandError(.deviceOffline, "another bridge publishes for \(name) now"))
        // A bridge that comes online receives the claim of another bridge for nearly all devices that it knows. The
        // check avoids creating a state machine for each of them: a state machine in its initial state needs no
        // replacement.
        guard !machine.isFresh else { return }
        clock.cancelMachine()
        publisher.forgetDeclared()
        groupValues = GroupValues()
        motion?.machineReplaced()
        let (memory, latch) = context.restoredState()
        machine.replace(
            family.makeMachine(
                DeviceContext(address: address, settings: settings, memory: memory, latch: latch)))
        tell(stage)
        feed(.recalling(publisher.isRecalling))
    }
}
