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

/// Comes to the broker as the bridge does, and asks for what the bridge needs.
///
/// It does not disturb other clients: its client ids are its own, also beside another doctor, it retains nothing and sends
/// no command. What it publishes is a word on `bridge/<id>/doctor` and a result of `doctor` on the devices' `result`. It
/// connects once with the bridge's last will, and disconnects cleanly.
struct BrokerProbe: Sendable {
    /// What the bridge reads and writes.
    struct Topics: Hashable, Sendable {
        /// Where a message of its own is sent to and expected back.
        var own: String
        var availability: String
        var info: String
        /// What the bridge subscribes to.
        var filters: [String]
        /// Where results of devices go.
        var results: [String]
        /// The bridge's message to itself, without which robots do not move; nil where no robot is known.
        var echo: String?
        /// The stops without which robots do not move.
        var stops: [String]
    }

    var settings: Settings
    /// The families of devices that there are.
    var families: [any DeviceFamily]
    /// The names that devices have in the state file, by their families.
    var named: [BridgeSettings.Device]
    var host: Host
    var hasServiceCredential = false
    /// What tells this run from another one at the same time.
    var run = MQTT.Configuration.randomClientIDEnd()

    /// How long connecting may take, several addresses included.
    private static let patience = Duration.seconds(15)
    /// How long an answer may take.
    static let answerPatience = Duration.seconds(5)
    /// Twice the longest time between two echoes of a bridge.
    private static let echoPatience = Duration.milliseconds(500)
    /// More devices than these are not asked for one by one.
    private static let deviceLimit = 50

    /// What is asked for.
    var topics: Topics {
        let prefix = settings.mqtt.baseTopic.isEmpty ? "" : settings.mqtt.baseTopic + "/"
        let bridge = "\(prefix)bridge/\(settings.bridge.id)"
        // The access list for the role of a bridge knows what a bridge needs.
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

    /// What holds of the first broker that lets the bridge in, and how the others answer.
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
            id: settings.bridge.id, ownHost: host.name)
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

    /// How the broker answers a client with the bridge's last will.
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

    /// A client of this run.
    func visit(_ suffix: String, _ server: MQTT.Configuration.Server, on loop: EventLoop) -> BrokerVisit {
        BrokerVisit(configuration(suffix, server), ignoring: othersWord, loop: loop)
    }

    /// Whether a message is the word of another doctor.
    var othersWord: @Sendable (IncomingMessage) -> Bool {
        { [own = topics.own, mark = word] in $0.topic == own && !$0.payload.starts(with: mark) }
    }

    /// How another broker answers, and whether it holds the same messages.
    private func compare(
        _ visit: BrokerVisit, with server: MQTT.Configuration.Server, on loop: EventLoop
    ) async -> BrokerFacts.Other {
        let topics = topics
        let known = await visit.retained
        var other = BrokerFacts.Other(settings: blank(server, .undecided).settings, connection: .undecided)
        // A cluster knows a client by its id wherever it is.
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
        // A broker acknowledges in order: with the last message all subscriptions are answered too.
        _ = await visit.client.flush(within: Self.answerPatience)

        // What a client sends does not come back to itself (no local), so another one sends it.
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
    }

    /// Whether the broker takes a payload above the limit that it should have: Mosquitto tells of its `max_packet_size`, and
    /// not of its `message_size_limit`. Nil where it may not be sent at all, or is not answered.
    private func takesAnySize(_ visit: BrokerVisit, _ topic: String) async -> Bool? {
        if await visit.packetLimit != nil { return false }
        let refusals = await visit.unwritable.count
        visit.client.publish(.event(topic, repeatElement(0x20, count: MosquittoLines.payloadLimit + 1)))
        let isAnswered = await visit.client.flush(within: Self.answerPatience)
        let refusal = await visit.unwritable.dropFirst(refusals).first
        guard let refusal else { return isAnswered ? true : nil }
        // "Packet too large", and what some say for it: "implementation specific error", "quota exceeded".
        return [0x95, 0x83, 0x97].contains(refusal.code) ? false : nil
    }

    /// Whether an echo comes: one of the bridge, which sends them while a robot is connected, else our own. That one would
    /// be in the way of who steers by the bridge's.
    private func hearsEcho(_ visit: BrokerVisit, _ topic: String) async -> Bool {
        if await visit.hears(topic, within: Self.echoPatience) { return true }
        visit.client.probe(topic, payload: Array("0".utf8)) { _ in }
        return await visit.hears(topic, within: Self.answerPatience)
    }

    /// What a listener to a device's results sees: a command that did nothing.
    private var result: [UInt8] {
        let object: JSON.Value = [
            "feature": "doctor", "status": "ok", "elapsed_ms": 0, "time": .string("\(TimeStamp.now)"),
        ]
        return Array(object.description.utf8)
    }

    /// What is sent to the bridge's own topic: the same in a run, and another one in each.
    var word: [UInt8] { Array("{\"run\":\"\(run)\"}".utf8) }

    func configuration(
        _ suffix: String, _ server: MQTT.Configuration.Server
    ) -> MQTT.Configuration {
        var configuration = settings.mqtt.configuration(will: nil).only(server)
        configuration.clientID += "-\(suffix)-\(run)"
        // Twice as long may pass before a broker that does not answer MQTT 5 answers 3.1.1.
        configuration.connectTimeout = .seconds(5)
        return configuration
    }
}
