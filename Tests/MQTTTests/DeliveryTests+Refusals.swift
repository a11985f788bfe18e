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

    @Test("What the broker's access list forbids is told with its topic")
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
