import EventLoop
import HostTesting
import Logging
import Messages
import Synchronization
import Testing

@testable import MQTT

// What the broker refuses.
extension DeliveryTests {
    @Test("An event or a reply that is too large for the broker, or forbidden, is given back")
    func givenBack() async throws {
        var options = TestBroker.Options()
        options.accessList = "topic readwrite allowed/#\n"
        options.lines = ["max_packet_size 2000"]
        let broker = try TestBroker(options)
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

    @Test("What the broker's access list forbids is told with its topic")
    func forbidden() async throws {
        var options = TestBroker.Options()
        options.accessList = "topic readwrite allowed/#\n"
        let broker = try TestBroker(options)
        try await withClient(.local(broker.port, "forbidden")) { running in
            try await running.connected()
            running.client.publish(.event("forbidden/topic", "x".utf8))
            for await case .publishRefused(let topic, let reason) in running.events {
                #expect(topic == "forbidden/topic" && reason.code == 0x87)
                break
            }
            running.client.publish(.event("bad/+/topic", "x".utf8))
            for await case .publishRefused(let topic, _) in running.events {
                #expect(topic == "bad/+/topic")
                break
            }
            running.client.publish(.event("forbidden/topic", "y".utf8))
            for await case .publishRefused(let topic, _) in running.events {
                #expect(topic == "forbidden/topic")
                break
            }
            #expect(running.log.count(.warning, "forbidden/topic") == 1, "once, not for each message")
            running.client.publish(.event("allowed/topic", "x".utf8))
            #expect(await running.client.flush(within: .seconds(5)))
            #expect(await running.client.takeStatistics().dropped.refused == 3)
        }
    }

    @Test("A refused subscription is told with its filter")
    func subscriptionRefused() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { packet in
            packet.type == 8 ? .send([0x90, 4] + packet.identifier + [0, 0x87]) : .usual
        }
        try await withClient(.local(broker.port, "sub"), subscriptions: [TopicFilter("a/+")]) { running in
            for await case .subscribeRefused(let filter, let reason) in running.events {
                #expect(filter == "a/+" && reason.code == 0x87)
                break
            }
        }
        loop.stop()
    }
}
