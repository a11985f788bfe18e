import Bluetooth
import DeviceKit
import JSON
import Logging

// Two bridges on one broker must not speak for one device.
extension DeviceSession {
    /// How long stored claims may take after the broker was connected, where no marker tells that all have arrived.
    private static let listeningTime = Duration.seconds(5)

    /// The broker is there: stored claims of other bridges arrive now; ``settleOwnership()`` tells when all have been heard.
    func brokerConnected() {
        hasBroker = true
        awaitRecall()
        ownership.listen()
        startTimer(.ownership, at: now + Self.listeningTime)
    }

    /// The broker is gone; whatever does not go on without it stops.
    func brokerLost() {
        hasBroker = false
        timers.cancel(.ownership)
        awaitRecall()
        feed(.stop(.brokerLost))
    }

    /// All stored claims have been heard.
    func settleOwnership() {
        guard hasBroker else { return }
        timers.cancel(.ownership)
        react(ownership.settle(world.life, isLinked: holdsLink))
    }

    /// A bridge says something of its link to a device of this name.
    func heard(claim payload: [UInt8], isStored: Bool) {
        guard let claim = Claim(payload, isStored: isStored, unlessOf: world.topics.bridge) else { return }
        claimant = claim.bridge
        if !claim.isConnected || claim.address != address { endProof() }
        react(ownership.heard(claim, world.life(claim), isLinked: holdsLink))
    }

    /// Something else is known of which bridges live, or of the own link.
    func reconsiderOwnership() { react(ownership.reconsider(world.life, isLinked: holdsLink)) }

    /// The device can be used: this bridge speaks for it.
    func speakAsHolder() { react(ownership.linked(world.life)) }

    /// Whether the device is in this bridge's hands, and stays there.
    private var holdsLink: Bool { isReady && link != nil && !isParting && !wantsDisconnect }

    private func react(_ reaction: TopicOwnership.Reaction) {
        let other: Logger.Metadata = ["bridge": "\(claimant ?? "none")"]
        switch reaction {
        case .nothing: break
        case .republish: speak()
        case .republishAgain: republishAgain()
        case .prove: contestClaim()
        case .yield:
            logger.info("another bridge holds the device", metadata: other)
            fallSilent()
        case .giveUpName: world.changed(.nameTaken)
        case .shareName:
            guard let rival = ownership.rival else { break }
            logger.error(
                "another configured device has this name: both obey stops only until one is named otherwise",
                metadata: ["bridge": "\(rival.bridge)", "address": "\(rival.address)"])
            world.changed(.nameShared(with: rival))
            guard !ownership.isOurs else { return republishAgain() }
            if contest.maySay(at: now) { claimOnce() }
            letGoOfTopics()
        }
        if !ownership.isSilent, supervision.takeBack() { proceed() }
        takeWaiting()
    }

    /// Says again what holds, not more often than is of use.
    func republishAgain() {
        guard ownership.isOurs else { return }
        guard contest.maySay(at: now) else {
            if let next = contest.next { startTimer(.contest, at: next) }
            return
        }
        logger.warning("another bridge speaks here too", metadata: ["bridge": "\(claimant ?? "none")"])
        speak()
    }

    /// Takes another name, since a device of another bridge has this one.
    func rename(_ name: String) {
        letGoOfTopics()
        leaveRecall()
        endProof()
        self.name = name
        moveRecall()
        outlet.forgetTopics()
        ownership = TopicOwnership(
            bridge: world.topics.bridge, address: address, isConfigured: ownership.isConfigured)
        reportAll()
        if holdsLink { speakAsHolder() }
        takeWaiting()
    }

    // MARK: Silence

    /// Says and writes nothing more, and forgets what the device was to do: it is led by another bridge now.
    func fallSilent() {
        endProof()
        letGoOfTopics()
        world.changed(.silent)
        if link == nil { forgetWishes() }
    }

    /// Leaves the retained topics as they are to the bridge that speaks on them now.
    private func letGoOfTopics() {
        let topics = outlet.published.map { world.topics.report(name, $0) }
        outlet.published = []
        guard !topics.isEmpty else { return }
        world.broker.release(topics)
        world.changed(.released(topics: topics))
    }

    /// Begins with a new state machine, which knows no more than one after a restart: what the device was to do when it
    /// was here last is over, since another bridge has led it otherwise meanwhile.
    func forgetWishes() {
        failPending(.deviceOffline, "another bridge speaks for \(name) now")
        timers.cancelMachine()
        outlet.forgetStates { !Self.isCommon($0) }
        let (memory, latch) = world.keepsakes()
        machine = family.makeMachine(
            DeviceContext(address: address, settings: settings, memory: memory, latch: latch))
        (toldBlock, awaitsClearance, unkeptLatches) = (nil, false, [])
        tell(supervision.state)
        feed(.recalling(isRecalling))
    }
}
