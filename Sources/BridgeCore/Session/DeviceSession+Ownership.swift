import DeviceKit
import Logging

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
        awaitRecall()
        feed(.stop(.brokerLost))
    }

    /// All stored claims have been heard.
    func settleOwnership() {
        guard publisher.hasBroker else { return }
        clock.cancel(.ownership)
        react(publisher.ownership.settle(world.life, isLinked: holdsLink))
    }

    /// A bridge says something of its link to a device of this name.
    func heard(claim payload: [UInt8], isStored: Bool) {
        guard let claim = Claim(payload, isStored: isStored, unlessOf: ownership.bridge) else { return }
        if !claim.isConnected || claim.address != address { endProof() }
        react(publisher.heard(claim, world.life(claim), isLinked: holdsLink))
    }

    /// Something else is known of which bridges live, or of the own link.
    func reconsiderOwnership() { react(publisher.ownership.reconsider(world.life, isLinked: holdsLink)) }

    /// The device can be used: this bridge speaks for it.
    func speakAsHolder() { react(publisher.ownership.linked(world.life)) }

    /// Whether the device is in this bridge's hands, and stays there.
    private var holdsLink: Bool { isReady && connector.isKept }

    private var claimant: Logger.Metadata { ["bridge": "\(publisher.claimant ?? "none")"] }

    private func react(_ reaction: TopicOwnership.Reaction) {
        switch reaction {
        case .nothing: break
        case .republish: speak()
        case .republishAgain: republishAgain()
        case .prove: contestClaim()
        case .yield:
            logger.info("another bridge holds the device", metadata: claimant)
            fallSilent()
        case .giveUpName: world.changed(.nameTaken)
        case .shareName:
            guard let rival = ownership.rival else { break }
            logger.error(
                "another configured device has this name: both obey stops only until one is named otherwise",
                metadata: ["bridge": "\(rival.bridge)", "address": "\(rival.address)"])
            world.changed(.nameShared(with: rival))
            guard !ownership.isOurs else { return republishAgain() }
            send(publisher.claim(at: now))
            releaseTopics()
        }
        if !ownership.isSilent, connector.takeBack() { proceed() }
        takeWaiting()
    }

    /// Publishes again all that holds, not more often than is of use.
    func republishAgain() {
        switch publisher.repeatAll(at: now) {
        case .none: break
        case .later(let moment): startTimer(.contest, at: moment)
        case .now(let messages):
            logger.warning("another bridge speaks here too", metadata: claimant)
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
        if holdsLink { speakAsHolder() }
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
