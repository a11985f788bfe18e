import BridgeConfiguration
import BridgeContract
import DeviceKit
import EventLoop
import HostServices
import JSON
import Logging
import MQTT
import Messages
import Reference

/// Connects to the broker like the bridge, and tests what the bridge needs.
///
/// The probe does not disturb other clients or other runs of `doctor`: it uses its own client ids, retains nothing and
/// sends no command. It publishes a message on `bridge/<id>/doctor`, and a result of a request `doctor` on the `result`
/// topics of devices. It connects once with the bridge's last will, and disconnects cleanly.
struct BrokerProbe: Sendable {
    /// The topics that the probe tests, because the bridge uses them.
    struct Topics: Hashable, Sendable {
        /// The topic of the probe's own message, which it also subscribes to.
        var own: String
        var availability: String
        var info: String
        var filters: [String]
        /// The topics on which devices report the results of commands.
        var results: [String]
        /// The topic of the echo, a message of the bridge to itself that robots require; nil if the bridge has no
        /// robot.
        var echo: String?
        /// The topics of the stops that robots require before they move.
        var stops: [String]
    }

    var settings: Settings
    /// All families of devices that the bridge supports.
    var families: [any DeviceFamily]
    /// The devices of the state file, with names and families.
    var named: [BridgeSettings.Device]
    var host: Host
    var hasServiceCredential = false
    /// A random text that distinguishes simultaneous runs.
    var run = MQTT.Configuration.randomClientIDEnd()

    /// The time limit of a connection, for all addresses together.
    private static let patience = Duration.seconds(15)
    /// The time limit of an answer.
    static let answerPatience = Duration.seconds(5)
    /// The time limit for an echo of the bridge: twice the longest interval between echoes.
    private static let echoPatience = Duration.milliseconds(500)
    /// The maximum number of devices whose topics are tested one by one.
    private static let deviceLimit = 50

    var topics: Topics {
        let prefix = settings.mqtt.baseTopic.isEmpty ? "" : settings.mqtt.baseTopic + "/"
        let bridge = "\(prefix)bridge/\(settings.bridge.id)"
        // The access list for bridges lists exactly the topics that a bridge needs.
        let list = AccessList(settings.bridge, named: named, families: families)
        let entries = list.entries(.bridge)
        let filters = entries.filter { entry in
            entry.access != .write
                && (entry.topic.hasSuffix("/set") || entry.topic.hasSuffix("\(BridgeFeatures.claimRoot)/+"))
        }
        return Topics(
            own: "\(bridge)/doctor", availability: "\(bridge)/availability", info: "\(bridge)/info",
            filters: ["\(bridge)/request/+"] + filters.map(\.topic),
            results: list.devices.prefix(Self.deviceLimit).map { "\(prefix)\($0.name)/result" },
            echo: list.stops.isEmpty ? nil : "\(bridge)/\(BridgeFeatures.echoName)", stops: list.stops)
    }

    /// Tests the brokers in order until one accepts the bridge. Then compares the other brokers with that main broker.
    func facts(on loop: EventLoop) async -> BrokerFacts {
        let servers = settings.mqtt.servers
        var failed: [BrokerFacts.Other] = []
        for (index, server) in servers.enumerated() {
            let rest = servers[(index + 1)...].map { $0 }
            let facts = await facts(of: server, besides: rest, on: loop)
            if facts.isAccepted {
                var facts = facts
                facts.others = failed + facts.others
                return facts
            }
            failed.append(BrokerFacts.Other(settings: facts.settings, connection: facts.connection))
        }
        var facts = blank(servers[0], failed[0].connection)
        facts.others = Array(failed.dropFirst())
        return facts
    }

    private func blank(
        _ server: MQTT.Configuration.Server, _ connection: BrokerFacts.Connection
    ) -> BrokerFacts {
        var mqtt = settings.mqtt
        mqtt.servers = [server]
        return BrokerFacts(
            settings: mqtt, hasServiceCredential: hasServiceCredential, connection: connection,
            certificates: mqtt.certificates, date: .now, id: settings.bridge.id, ownHost: host.name)
    }

    private func facts(
        of server: MQTT.Configuration.Server, besides others: [MQTT.Configuration.Server],
        on loop: EventLoop
    ) async -> BrokerFacts {
        var facts = blank(server, .undecided)
        let visit = self.visit("doctor", server, on: loop)
        await withTaskGroup { group in
            group.addTask { await visit.client.run() }
            facts.connection = await visit.connect(within: Self.patience)
            if let end = await visit.client.brokerCertificateEnd {
                facts.certificates.insert(MQTTSettings.Certificate(.broker, end: end), at: 0)
            }
            if facts.isAccepted { facts.will = await willAnswer(server, on: loop) }
            if facts.isWillAccepted {
                await examine(visit, server, &facts, on: loop)
                for other in others {
                    facts.others.append(await compare(visit, with: other, on: loop))
                }
            }
            await visit.end()
            await group.waitForAll()
        }
        return facts
    }

    /// Tests a connection with the bridge's last will.
    private func willAnswer(
        _ server: MQTT.Configuration.Server, on loop: EventLoop
    ) async -> BrokerFacts.Connection {
        var configuration = configuration("doctor-will", server)
        configuration.will = MQTTSettings.will(topics.availability)
        let visit = BrokerVisit(configuration, loop: loop)
        return await withTaskGroup { group in
            group.addTask { await visit.client.run() }
            let answer = await visit.connect(within: Self.answerPatience)
            await visit.end()
            await group.waitForAll()
            return answer
        }
    }

    /// Creates a client whose id is unique to this run.
    func visit(_ suffix: String, _ server: MQTT.Configuration.Server, on loop: EventLoop) -> BrokerVisit {
        BrokerVisit(configuration(suffix, server), ignoring: othersWord, loop: loop)
    }

    /// Returns whether a message was sent by another run of `doctor`.
    var othersWord: @Sendable (IncomingMessage) -> Bool {
        { [own = topics.own, mark = word] in $0.topic == own && !$0.payload.starts(with: mark) }
    }

    /// Tests another broker, and compares its messages with the messages of the main broker.
    private func compare(
        _ visit: BrokerVisit, with server: MQTT.Configuration.Server, on loop: EventLoop
    ) async -> BrokerFacts.Other {
        let topics = topics
        let known = await visit.retained
        var other = BrokerFacts.Other(settings: blank(server, .undecided).settings, connection: .undecided)
        // A cluster identifies a client by its id on every node, so the second client needs another id.
        let second = self.visit("doctor-other", server, on: loop)
        await withTaskGroup { group in
            group.addTask { await second.client.run() }
            other.connection = await second.connect(within: Self.patience)
            if case .accepted = other.connection {
                second.client.subscribe([topics.info, topics.own].map { TopicFilter($0, qos: 1) })
                await second.settled(by: topics.own, within: Self.answerPatience)
                visit.client.publish(.event(topics.own, word))
                other.isReached = await second.hears(topics.own, within: Self.answerPatience)
                if known[topics.info] != nil {
                    other.hasRetained = await second.retained[topics.info] != nil
                }
            }
            await second.end()
            await group.waitForAll()
        }
        return other
    }

    private func examine(
        _ visit: BrokerVisit, _ server: MQTT.Configuration.Server, _ facts: inout BrokerFacts,
        on loop: EventLoop
    ) async {
        let topics = topics
        let filters = topics.filters + topics.stops + [topics.own, topics.availability, topics.info]
        visit.client.subscribe(filters.map { TopicFilter($0, qos: 1) })
        if let echo = topics.echo {
            visit.client.subscribe([TopicFilter(echo, qos: 0, receivesOwn: true)])
        }
        for topic in topics.results { visit.client.publish(.event(topic, result)) }
        visit.client.publish(.event(topics.own, word))
        // The broker acknowledges in order. So when it has acknowledged the last message, it has already answered all
        // subscriptions.
        _ = await visit.client.flush(within: Self.answerPatience)

        // A client does not receive its own messages (no local), so another client sends this message.
        let other = self.visit("doctor-echo", server, on: loop)
        await withTaskGroup { group in
            group.addTask { await other.client.run() }
            if case .accepted = await other.connect(within: Self.answerPatience) {
                other.client.publish(.event(topics.own, word))
                facts.isHeard = await visit.hears(topics.own, within: Self.answerPatience)
                if case .accepted(version: "5", _) = facts.connection {
                    facts.isUnbounded = await takesAnySize(other, topics.own)
                }
                facts.fleet = await fleetFacts(visit, other, server, on: loop)
            }
            await other.end()
            await group.waitForAll()
        }
        if let echo = topics.echo { facts.isEchoed = await hearsEcho(visit, echo) }
        facts.stops = topics.stops
        facts.unreadable = await visit.unreadable
        facts.unwritable = await visit.unwritable
        let retained = await visit.retained
        facts.availability = retained[topics.availability].map { String(decoding: $0, as: UTF8.self) }
        let info = retained[topics.info].flatMap { try? JSON.Value(parsing: $0) }
        facts.host = info?["host"]?.string
        facts.hasGuardian = info?["guardian"]?.bool
        facts.heldProxies = (info?["adapters"]?.array ?? []).compactMap { HeldProxy($0) }
    }

    /// Returns whether the broker accepts a payload above the recommended limit; nil if the message is not allowed or
    /// not acknowledged. This has to be tested, because Mosquitto reports its `max_packet_size`, but not its
    /// `message_size_limit`.
    private func takesAnySize(_ visit: BrokerVisit, _ topic: String) async -> Bool? {
        if await visit.packetLimit != nil { return false }
        let refusals = await visit.unwritable.count
        visit.client.publish(.event(topic, repeatElement(0x20, count: MosquittoLines.payloadLimit + 1)))
        let isAnswered = await visit.client.flush(within: Self.answerPatience)
        let refusal = await visit.unwritable.dropFirst(refusals).first
        guard let refusal else { return isAnswered ? true : nil }
        // The codes are "packet too large", and the codes that some brokers use instead: "implementation specific
        // error" and "quota exceeded".
        return [0x95, 0x83, 0x97].contains(refusal.code) ? false : nil
    }

    /// Returns whether an echo arrives. The probe first waits for an echo of the bridge, which publishes echoes while a
    /// robot is connected. Only if none arrives does the probe publish an echo, because an additional echo would
    /// disturb clients that drive a robot.
    private func hearsEcho(_ visit: BrokerVisit, _ topic: String) async -> Bool {
        if await visit.hears(topic, within: Self.echoPatience) { return true }
        visit.client.probe(topic, payload: Array("0".utf8)) { _ in }
        return await visit.hears(topic, within: Self.answerPatience)
    }

    /// The message for the `result` topics of devices: the result of a command without effect.
    private var result: [UInt8] {
        let object: JSON.Value = [
            "feature": "doctor", "status": "ok", "elapsed_ms": 0, "time": .string("\(TimeStamp.now)"),
        ]
        return Array(object.description.utf8)
    }

    /// The payload for the probe's own topic, which is different in each run.
    var word: [UInt8] { Array("{\"run\":\"\(run)\"}".utf8) }

    func configuration(
        _ suffix: String, _ server: MQTT.Configuration.Server
    ) -> MQTT.Configuration {
        var configuration = settings.mqtt.configuration(will: nil).only(server)
        configuration.clientID += "-\(suffix)-\(run)"
        // For a broker that answers only MQTT 3.1.1, connecting takes up to twice this limit.
        configuration.connectTimeout = .seconds(5)
        return configuration
    }
}
