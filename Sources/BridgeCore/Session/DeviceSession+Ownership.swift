import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging
import Messages

// Two bridges on one broker must not speak for one device.
extension DeviceSession {
    /// How long stored claims may take after the broker was connected, where no marker tells that all have arrived.
    private static let listeningTime = Duration.seconds(5)

    /// The broker is there: stored claims of other bridges arrive now; ``settleOwnership()`` tells when all have been heard.
    func brokerConnected() {
        publisher.hasBroker = true
        awaitRecall()
        publisher.ownership.listen()
        startTimer(.ownership, at: now + Self.listeningTime)
    }

    /// The broker is gone; a motion that needs it stops.
    func brokerLost() {
        publisher.hasBroker = false
        clock.cancel(.ownership)
        clock.cancel(.warden)
        awaitRecall()
        withholdTopics()
        publisher.ownership.listen()
        feed(.stop(.brokerLost))
    }

    /// Lets nothing be said at the broker's return that another bridge may have said otherwise meanwhile: of a device
    /// without a link nothing, of one with a link no claim.
    private func withholdTopics() {
        if let topic = publisher.releaseClaim() { world.broker.release([topic]) }
        if !holdsLink { world.broker.release(publisher.outgoing) }
    }

    /// All stored claims have been heard.
    ///
    /// - Returns: Whether ``speak()`` is to follow. Where that is so of many devices, all their claims go first: a bridge that
    ///   comes meanwhile hears of each that it is spoken for.
    func settleOwnership() -> Bool {
        guard publisher.hasBroker else { return false }
        clock.cancel(.ownership)
        let reaction = publisher.ownership.settle(world.neighbors, isLinked: holdsLink, at: now)
        react(reaction, speaksLater: true)
        return reaction == .republish && ownership.isOurs
    }

    /// A bridge says on the device's claim how it stands to the device.
    ///
    /// - Parameter arrival: When that arrived; before now for a device that this bridge knows since.
    func heard(_ message: ClaimMessage, arrival: Duration) {
        let claim = message.claim
        noteDeeds(message, arrival: arrival)
        if claim.state == .linked, claim.bridge != ownership.bridge, !claim.isStored { leaveToHolder() }
        react(publisher.heard(claim, world.neighbors, at: now))
        if ownership.contested == nil { endProof() }
    }

    /// Another device has this name at another bridge.
    func heard(_ rival: NameRival) {
        react(publisher.heard(rival, world.neighbors, isLinked: holdsLink))
        if ownership.contested == nil { endProof() }
    }

    /// Another device has this name no more.
    func nameLeft(by other: Address) {
        react(publisher.ownership.nameLeft(by: other, world.neighbors, isLinked: holdsLink))
    }

    /// Another bridge has got the link: what was heard before counts no more, and an attempt to connect is in vain.
    private func leaveToHolder() {
        choice.reset()
        connector.heldElsewhere()
        if connector.isConnecting { world.radio.giveUp(address) }
    }

    /// Something else is known of which bridges live, or of the own link.
    func reconsiderOwnership() {
        if let foreign = ownership.device.foreign, world.neighbors.life(foreign) == .dead {
            handOver.holderDied(at: now)
            handOverWatch.holderDied(at: now)
        }
        react(publisher.ownership.reconsider(world.neighbors, isLinked: holdsLink, at: now))
    }

    /// Nobody has spoken for the device for a while.
    func wardenIsDue() { react(publisher.ownership.timeIsUp(world.neighbors, at: now)) }

    /// The device can be used: this bridge speaks for it.
    func speakAsHolder() {
        status.hold(true, at: world.time.date)
        react(publisher.ownership.linked(world.neighbors))
    }

    /// The device cannot be used any more.
    func endHolding() {
        status.hold(false, at: world.time.date)
        react(publisher.ownership.unlinked(world.neighbors, at: now))
    }

    /// The device was heard on the air, so that no bridge has its link.
    func noteAdvertising() {
        handOverWatch.advertised(at: now)
        react(publisher.ownership.advertised(world.neighbors, at: now))
    }

    /// Whether the device is in this bridge's hands, and stays there.
    var holdsLink: Bool { isReady && connector.isKept }

    private var claimant: Logger.Metadata { ["bridge": "\(publisher.claimant ?? "none")"] }

    /// Does what follows from a change of who speaks; the claim goes first, so that others fall silent before they see
    /// their words overwritten.
    ///
    /// - Parameter speaksLater: Whether the caller lets it speak.
    func react(_ reaction: TopicOwnership.Reaction, speaksLater: Bool = false) {
        sendClaim(isRepeated: reaction == .republish)
        switch reaction {
        case .nothing: break
        case .republish: if !speaksLater { speak() }
        case .republishAgain: republishAgain()
        case .prove: contestClaim()
        case .drop: if let claim = ownership.device.foreign { letGo(to: claim, sharesLink: false) }
        case .yield:
            // At its start a bridge hears so of each device that is not its own.
            let level: Logger.Level = publisher.outgoing.isEmpty ? .debug : .info
            logger.log(level: level, "another bridge holds the device", metadata: claimant)
            fallSilent()
        case .giveUpName: world.changed(.nameTaken)
        case .shareName: shareName()
        }
        if let deadline = ownership.deadline { startTimer(.warden, at: deadline) }
        if !ownership.isSilent, connector.takeBack() { proceed() }
        noteOffering()
        takeWaiting()
    }

    private func shareName() {
        guard let rival = ownership.nameRival else { return }
        logger.error(
            "another configured device has this name: both obey stops only until one is named otherwise",
            metadata: ["bridge": "\(rival.claim.bridge)", "address": "\(rival.address)"])
        world.changed(.nameShared(with: rival))
        guard !ownership.isOurs else { return republishAgain() }
        releaseTopics()
    }

    /// Publishes the claim on the device if it is new, or in any case.
    func sendClaim(isRepeated: Bool) {
        guard publisher.hasBroker, world.mayClaim() else { return }
        let lastWord = publisher.hasClaim ? ownership.lastWord : nil
        guard let said = ownership.said ?? lastWord else { return }
        let isLinked = said.state == .linked
        let claim = Claim(
            bridge: ownership.bridge, epoch: said.epoch, state: said.state,
            since: status.heldSince.description,
            adapter: isLinked ? connector.linked?.adapter : nil, name: lastWord == nil ? name : nil,
            family: family.name, isConfigured: ownership.isConfigured)
        let message = ClaimMessage(claim: claim, intent: intent)
        guard let publication = publisher.publish(message, isRepeated: isRepeated) else { return }
        if publication.isNewTopic { world.changed(.published(topic: publication.message.topic)) }
        // It is a word among bridges, not one of the device: no recording has it.
        world.broker.publish(publication.message)
    }

    /// Publishes again all that holds, not more often than is of use.
    func republishAgain() {
        switch publisher.repeatAll(at: now) {
        case .none: break
        case .later(let moment): startTimer(.contest, at: moment)
        case .now(let messages):
            logger.warning("another bridge speaks here too", metadata: claimant)
            sendClaim(isRepeated: true)
            send(messages)
            world.changed(.described)
        }
    }

    /// Takes another name, since a device of another bridge has this one.
    func rename(_ name: String) {
        releaseTopics()
        leaveRecall()
        endProof()
        publisher.rename(name)
        logger[metadataKey: "device"] = "\(name)"
        moveRecall()
        reportAll()
        if holdsLink { speak() }
        takeWaiting()
    }

    // MARK: Silence

    /// Publishes and writes nothing more, and forgets what the device was to do: it is led by another bridge now.
    func fallSilent() {
        endProof()
        releaseTopics()
        world.changed(.silent)
        if link == nil { forgetWishes() }
    }

    /// Begins with a new state machine, which knows no more than one after a restart: what the device was to do when it
    /// was here last is over, since another bridge has led it otherwise meanwhile.
    func forgetWishes() {
        failPending(CommandError(.deviceOffline, "another bridge speaks for \(name) now"))
        // A bridge that comes hears this of nearly all devices that it knows.
        guard !machine.isFresh else { return }
        clock.cancelMachine()
        publisher.forgetDeclared()
        motion?.machineReplaced()
        let (memory, latch) = world.keepsakes()
        machine.replace(
            family.makeMachine(
                DeviceContext(address: address, settings: settings, memory: memory, latch: latch)))
        tell(stage)
        feed(.recalling(publisher.isRecalling))
    }
}
