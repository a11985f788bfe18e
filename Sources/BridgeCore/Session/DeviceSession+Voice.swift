import Bluetooth
import DeviceKit
import JSON
import Logging

// Two bridges on one broker must not speak for one device.
extension DeviceSession {
    /// How long stored claims may take after the broker was connected.
    private static let listeningTime = Duration.milliseconds(500)

    /// The broker is there: stored claims of other bridges arrive now, and after a moment all have been heard.
    func brokerConnected() {
        hasBroker = true
        awaitRecall()
        voice.listen()
        startTimer(.voice, at: now + Self.listeningTime)
    }

    /// The broker is gone; whatever does not go on without it stops.
    func brokerLost() {
        hasBroker = false
        awaitRecall()
        feed(.stop(.brokerLost))
    }

    /// All stored claims have been heard.
    func settleVoice() {
        if voice.settle() { speak() }
        takeHeld()
    }

    /// A bridge says something of its link to a device of this name.
    func heard(claim payload: [UInt8]) {
        guard payload.count <= CommandGate.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let bridge = object["bridge"]?.string,
            bridge != world.topics.bridge, let address = object["address"]?.string.flatMap({ Address($0) })
        else { return }
        let claim = Voice.Claim(
            bridge: bridge, address: address, isConnected: object["state"]?.string == "connected")
        switch voice.heard(claim, isLinked: link != nil) {
        case .nothing: break
        case .speakAgain:
            logger.warning("another bridge speaks here too", metadata: ["bridge": "\(bridge)"])
            speak()
        case .fallSilent:
            logger.info("another bridge holds the device", metadata: ["bridge": "\(bridge)"])
            letGoOfTopics()
            world.changed(.silent)
        case .giveUpName: world.changed(.nameTaken)
        }
        takeHeld()
    }

    /// Takes another name, since a device of another bridge has this one.
    func rename(_ name: String) {
        letGoOfTopics()
        leaveRecall()
        self.name = name
        moveRecall()
        outlet.forgetTopics()
        voice = Voice(bridge: world.topics.bridge, address: address)
        reportAll()
        if link != nil, voice.linked() { speak() }
        takeHeld()
    }

    /// Leaves the retained topics as they are to the bridge that speaks on them now.
    private func letGoOfTopics() {
        let topics = outlet.published.map { world.topics.report(name, $0) }
        outlet.published = []
        guard !topics.isEmpty else { return }
        world.broker.release(topics)
        world.changed(.released(topics: topics))
    }
}
