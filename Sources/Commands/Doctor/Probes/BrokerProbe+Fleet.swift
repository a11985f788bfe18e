import BridgeConfiguration
import BridgeContract
import EventLoop
import MQTT
import Messages

// Tests of the behavior that a fleet needs from its broker. A fleet has many bridges, devices or clients.
extension BrokerProbe {
    /// The number of messages that are sent to a client that does not read. Mosquitto queues fewer messages by default.
    static let queueLength = 2_000
    /// The number of answers whose latency is measured.
    private static let answerCount = 15
    /// The number of times that a delay must be measured before it is reported.
    private static let delayTries = 2

    /// - Parameters:
    ///   - visit: A client that has received the retained messages.
    ///   - sender: A client that publishes.
    func fleetFacts(
        _ visit: BrokerVisit, _ sender: BrokerVisit, _ server: MQTT.Configuration.Server, on loop: EventLoop
    ) async -> BrokerFacts.Fleet {
        let topics = topics
        var fleet = BrokerFacts.Fleet()
        fleet.queued = await queue(sender, server, on: loop)
        fleet.delay = await answerDelay(server, on: loop)
        if await visit.retained[topics.info] != nil {
            let filter = topics.info.replacing("/\(settings.bridge.id)/", with: "/+/")
            sender.client.subscribe([TopicFilter(filter, qos: 1)])
            await sender.settled(by: filter, within: Self.answerPatience)
            fleet.sendsRetained = await sender.keeps(topics.info, within: .seconds(1))
        }
        return fleet
    }

    /// Returns the number of messages that a slow client receives; nil if that could not be tested.
    private func queue(
        _ sender: BrokerVisit, _ server: MQTT.Configuration.Server, on loop: EventLoop
    ) async -> Int? {
        let topic = topics.own
        return await withVisit(configuration("doctor-slow", server), on: loop) { slow in
            slow.client.subscribe([TopicFilter(topic, qos: 1)])
            await slow.settled(by: topic, within: Self.answerPatience)
            slow.client.pauseReading(true)
            for _ in 0..<Self.queueLength { sender.client.publish(.event(topic, word)) }
            let isSent = await sender.client.flush(within: Self.answerPatience)
            slow.client.pauseReading(false)
            guard isSent else { return nil }
            await slow.hears(Self.queueLength, on: topic, pause: .seconds(1))
            return await slow.heard[topic] ?? 0
        }
    }

    /// Returns the additional latency of an answer to a client that delays its acknowledgements; nil if that could not
    /// be tested. A measured delay is verified by a second measurement, because a busy host may have caused it.
    private func answerDelay(_ server: MQTT.Configuration.Server, on loop: EventLoop) async -> Duration? {
        var least: Duration?
        for _ in 0..<Self.delayTries {
            guard let naive = await answerTime(server, atOnce: false, on: loop) else { return least }
            guard naive > BrokerFacts.Fleet.company,
                let prompt = await answerTime(server, atOnce: true, on: loop),
                naive - prompt > BrokerFacts.Fleet.company
            else { return .zero }
            least = min(least ?? naive - prompt, naive - prompt)
        }
        return least
    }

    /// Returns the latency of an answer that follows another message to the same client; nil if that could not be
    /// tested.
    ///
    /// - Parameter atOnce: Whether the client's kernel acknowledges received data without a delay.
    private func answerTime(
        _ server: MQTT.Configuration.Server, atOnce: Bool, on loop: EventLoop
    ) async -> Duration? {
        let topic = topics.own
        var configuration = configuration("doctor-time", server)
        configuration.acknowledgesAtOnce = atOnce
        return await withVisit(configuration, on: loop) { visit in
            // The client subscribes to its own message with QoS 0, so it does not acknowledge the message. The broker
            // sends the message, and then its acknowledgement of the client's publish, which is the answer to measure.
            visit.client.subscribe([TopicFilter(topic, qos: 0, receivesOwn: true)])
            await visit.settled(by: topic, within: Self.answerPatience)
            var times: [Duration] = []
            for _ in 0..<Self.answerCount {
                let begin = EventLoop.now
                visit.client.publish(.event(topic, word))
                guard await visit.client.flush(within: Self.answerPatience) else { return nil }
                times.append(EventLoop.now - begin)
            }
            return times.sorted()[times.count / 2]
        }
    }

    /// Connects a separate client, and keeps it connected while `body` runs; returns nil if the broker rejects the
    /// client.
    private func withVisit<Result: Sendable>(
        _ configuration: MQTT.Configuration, on loop: EventLoop,
        _ body: (BrokerVisit) async -> Result?
    ) async -> Result? {
        let visit = BrokerVisit(configuration, ignoring: othersWord, loop: loop)
        return await withTaskGroup { group in
            group.addTask { await visit.client.run() }
            var result: Result?
            if case .accepted = await visit.connect(within: Self.answerPatience) {
                result = await body(visit)
            }
            await visit.end()
            await group.waitForAll()
            return result
        }
    }
}
