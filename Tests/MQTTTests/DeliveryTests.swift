import EventLoop
import HostTesting
import Logging
import Messages
import Synchronization
import Testing

@testable import MQTT

@Suite("Delivery", .timeLimit(.minutes(1)))
struct DeliveryTests {
    @Test(
        "Every message arrives with its flags",
        arguments: [Configuration.Version.v5, .v311])
    func roundTrip(version: Configuration.Version) async throws {
        let broker = try TestBroker()
        var configuration = Configuration.local(broker.port, "sender", version)
        try await withClient(configuration) { sender in
            try await sender.connected()
            sender.client.publish(.state("a/state", "old".utf8))
            #expect(await sender.client.flush(within: .seconds(5)))
            configuration.clientID = "receiver"
            try await withClient(configuration, subscriptions: [TopicFilter("a/#")]) { receiver in
                let first = try await receiver.message()
                #expect(
                    first.topic == "a/state" && String(first) == "old" && first.isRetained && first.qos == 1)
                #expect(first.arrival > .zero && first.arrival <= EventLoop.now)
                sender.client.publish(.event("a/event", "1".utf8))
                sender.client.publish(.stream("a/stream", [0, 255]))
                sender.client.publish(.state("a/state", "new".utf8))
                let messages = [
                    try await receiver.message(), try await receiver.message(), try await receiver.message(),
                ]
                let event = try #require(messages.first { $0.topic == "a/event" })
                #expect(String(event) == "1" && !event.isRetained && event.qos == 1)
                let stream = try #require(messages.first { $0.topic == "a/stream" })
                #expect(stream.payload == [0, 255] && !stream.isRetained && stream.qos == 0)
                let state = try #require(messages.first { $0.topic == "a/state" })
                // Only version 5 keeps the published retain flag.
                #expect(String(state) == "new" && state.isRetained == (version == .v5))
            }
        }
    }

    @Test(
        "An oversized message is reported with its size and the properties needed for a reply",
        arguments: [Configuration.Version.v5, .v311])
    func tooLarge(version: Configuration.Version) async throws {
        let broker = try TestBroker()
        var configuration = Configuration.local(broker.port, "bounded")
        (configuration.version, configuration.limits.payload) = (version, 4)
        try await withClient(configuration, subscriptions: [TopicFilter("t", receivesOwn: true)]) {
            running in
            try await running.connected()
            running.client.publish(.event("t", "12345".utf8))
            running.client.publish(.event("t", "1234".utf8))
            let (large, small) = (try await running.message(), try await running.message())
            #expect(large.payload.isEmpty && large.payloadSize == 5 && large.qos == 1)
            #expect(String(small) == "1234" && small.payloadSize == 4)
        }
    }

    @Test("Messages arrive with the QoS of their subscription")
    func subscriptionQoS() async throws {
        let broker = try TestBroker()
        let subscriptions = [TopicFilter("drive/set", qos: 0), TopicFilter("mode/set", qos: 1)]
        try await withClient(.local(broker.port, "qos"), subscriptions: subscriptions) { running in
            try await running.connected()
            for topic in ["drive/set", "mode/set"] {
                try TestProcess.run(
                    ["mosquitto_pub"] + broker.arguments + ["-q", "1", "-t", topic, "-m", "x"])
            }
            let messages = [try await running.message(), try await running.message()]
            #expect(messages.map(\.qos) == [0, 1])
        }
    }

    @Test("The properties of an MQTT 5 request arrive, and its reply carries them")
    func requestAndReply() async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "responder"), subscriptions: [TopicFilter("belt/+/set")]) {
            running in
            try await running.connected()
            let client = running.client
            running.onMessage { message in
                guard let topic = message.responseTopic else { return }
                client.publish(
                    .reply(to: topic, correlation: message.correlation, "got \(String(message))".utf8)
                )
            }
            let requester = try TestProcess(
                ["mosquitto_rr"] + broker.arguments + [
                    "-V", "5", "-t", "belt/intensity/set", "-e", "answer/here", "-m", "60", "-F", "%t %D %p",
                    "-D",
                    "publish", "correlation-data", "abc", "-D", "publish", "message-expiry-interval", "30",
                ])
            let request = try await running.message()
            #expect(request.responseTopic == "answer/here")
            #expect(request.correlation == Array("abc".utf8))
            #expect(request.expirySeconds == 30)
            #expect(requester.nextLine(within: .seconds(5)) == "answer/here abc got 60")
        }
    }

    @Test("No event is lost over broken connections: all arrive in order, and only unacknowledged ones twice")
    func eventsSurvive() async throws {
        let publishes = Mutex(0)
        // Two messages are not acknowledged, and close their connections.
        let broker = ScriptedBroker { packet in
            guard packet.type == 3 else { return .usual }
            return publishes.withLock {
                $0 += 1
                return $0 == 70 || $0 == 140 ? .close : .usual
            }
        }
        try await withClient(.local(broker.port, "events")) { running in
            try await running.connected()
            for number in 1...200 { running.client.publish(.event("e", "\(number)".utf8)) }
            #expect(await running.client.flush(within: .seconds(30)))
            let statistics = await running.client.takeStatistics()
            #expect(statistics.dropped == BrokerStatistics.Dropped())
            #expect(statistics.acknowledged == 200)
            #expect(statistics.repeated == statistics.sent - 200)
            #expect(statistics.reconnects == 2)
        }
        var order: [Int] = []
        for await packet in broker.packets where packet.type == 3 {
            let number = try #require(Int(packet.payload))
            #expect(packet.flags & 8 == 0, "a fresh handle sends no duplicates of its own")
            if !order.contains(number) { order.append(number) }
            if order.count == 200 { break }
        }
        #expect(order == Array(1...200))
    }

    @Test("A message that makes the broker disconnect is reported, and no other message is lost")
    func culprit() async throws {
        let broker = ScriptedBroker { packet in
            packet.type == 3 && packet.payload == "poison" ? .send([0xE0, 2, 0x95, 0]) : .usual
        }
        try await withClient(.local(broker.port, "culprit")) { running in
            try await running.connected()
            for payload in ["1", "poison", "3"] {
                running.client.publish(.event("e/\(payload)", payload.utf8))
            }
            #expect(try await running.refused().topic == "e/poison")
            #expect(await running.client.flush(within: .seconds(10)))
            let statistics = await running.client.takeStatistics()
            #expect(statistics.acknowledged >= 2 && statistics.dropped.refused == 1)
        }
    }

    @Test("Subscriptions are renewed after every connect, except for removed ones")
    func subscriptionsRenewed() async throws {
        let broker = try TestBroker()
        let subscriptions = [TopicFilter("gone"), TopicFilter("kept")]
        try await withClient(.local(broker.port, "renew"), subscriptions: subscriptions) { running in
            try await running.connected()
            running.client.unsubscribe(["gone"])
            running.client.subscribe([TopicFilter("late")])
            for _ in 0..<2 {
                // The broker processes in order: once it has acknowledged this message, it has the subscriptions sent
                // before.
                running.client.publish(.event("x", "x".utf8))
                #expect(await running.client.flush(within: .seconds(5)))
                for topic in ["gone", "kept", "late"] {
                    try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", "x"])
                }
                try await running.expect(topic: "kept")
                try await running.expect(topic: "late")
                broker.kill()
                try await running.disconnected()
                try broker.start()
                try await running.connected()
            }
        }
    }

    @Test("Streams are sent immediately, and a stalled broker causes the oldest to be dropped and counted")
    func streams() async throws {
        let broker = try TestBroker()
        var configuration = Configuration.local(broker.port, "streams")
        configuration.limits.streams = 10
        try await withClient(configuration, subscriptions: [TopicFilter("x")]) { running in
            try await running.connected()
            let client = running.client
            for number in 0..<100 { client.publish(.stream("x", "\(number)".utf8)) }
            #expect(await client.flush(within: .seconds(5)))
            broker.freeze()
            let large = [UInt8](repeating: 65, count: 100_000)
            for _ in 0..<300 { client.publish(.stream("y", large)) }
            var statistics = await client.takeStatistics()
            #expect(statistics.dropped.streams > 0 && statistics.queueDepth == 10)
            broker.thaw()
            #expect(await client.flush(within: .seconds(10)))
            let dropped = statistics.dropped.streams
            statistics = await client.takeStatistics()
            #expect(statistics.sent == 400 - dropped && statistics.dropped.streams == dropped)
        }
    }

    // MARK: Refusals by the broker

    @Test("An event or reply that is too large or forbidden is returned to the publisher")
    func givenBack() async throws {
        let broker = try TestBroker {
            $0.accessList = "topic readwrite allowed/#\n"; $0.lines = ["max_packet_size 2000"]
        }
        try await withClient(.local(broker.port, "large")) { running in
            try await running.connected()
            let messages = [
                OutgoingMessage(
                    topic: "allowed/large", payload: Array(repeating: 65, count: 5000),
                    policy: .reply(correlation: [1, 2])),
                OutgoingMessage(topic: "forbidden/topic", payload: [66], policy: .event),
            ]
            for (message, code) in zip(messages, [0x95, 0x87] as [UInt8]) {
                running.client.publish(message)
                for await case .messageRefused(let refused, let reason) in running.events {
                    #expect(refused == message && reason.code == code)
                    break
                }
            }
        }
    }

    @Test("A refusal by the broker's access list is reported with its topic")
    func forbidden() async throws {
        let broker = try TestBroker { $0.accessList = "topic readwrite allowed/#\n" }
        try await withClient(.local(broker.port, "forbidden")) { running in
            try await running.connected()
            running.client.publish(.event("forbidden/topic", "x".utf8))
            let (topic, reason) = try await running.refused()
            #expect(topic == "forbidden/topic" && reason.code == 0x87)
            running.client.publish(.event("bad/+/topic", "x".utf8))
            #expect(try await running.refused().topic == "bad/+/topic")
            running.client.publish(.event("forbidden/topic", "y".utf8))
            #expect(try await running.refused().topic == "forbidden/topic")
            #expect(running.log.count(.warning, "forbidden/topic") == 1, "once, not for each message")
            running.client.publish(.event("allowed/topic", "x".utf8))
            #expect(await running.client.flush(within: .seconds(5)))
            #expect(await running.client.takeStatistics().dropped.refused == 3)
        }
    }
}
