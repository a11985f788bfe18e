import Messages
import Testing

@testable import MQTT

@Suite("Floods of the outbox")
struct OutboxFloodTests {
    private func urgent(_ topic: String) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: [], policy: .event, isUrgent: true)
    }

    @Test("Urgent events are not dropped for others, and are sent first, with the reserve of the window")
    func urgentFlood() {
        let bench = OutboxBench(limits: .init(events: 10, urgent: 3), window: 16)
        for _ in 0..<100 { bench.publish(.event("e", [])) }
        #expect(bench.sent() == Array(repeating: "e=!", count: 10))
        for _ in 0..<100 { bench.publish(.event("e", [])) }
        #expect(bench.sent() == Array(repeating: "e=!", count: 4))
        var taken = ["a", "b"].map { bench.publish(urgent($0)) }
        #expect(bench.sent() == ["a=!", "b=!"])
        taken += ["c", "d", "f", "g"].map { bench.publish(urgent($0)) }
        #expect(taken == [true, true, true, true, true, false])
        for _ in 0..<100 { bench.publish(.event("e", [])) }
        // A new connection does not lose them either.
        bench.disconnect()
        bench.connect(window: 16)
        #expect(bench.sent().prefix(5) == ["a=!", "b=!", "c=!", "d=!", "f=!"])
    }

    @Test("When too many messages wait, only the largest share loses its oldest message")
    func shares() {
        let bench = OutboxBench(limits: .init(events: 10), window: 1)
        bench.publish(.event("sent", []))
        _ = bench.sent()
        bench.publish(.event("rare", "1".utf8))
        for number in 0..<20 { bench.publish(.event("flood", "\(number)".utf8)) }
        bench.publish(.reply(to: "answer", correlation: nil, "2".utf8))
        for number in 20..<40 {
            let topic = "flood/\(number)"
            bench.publish(OutgoingMessage(topic: topic, payload: [], policy: .event, share: "page"))
        }
        for number in 40..<60 { bench.publish(.event("flood", "\(number)".utf8)) }
        #expect(bench.outbox.dropped.events == 52 && bench.outbox.dropped.replies == 0)
        var sent: [String] = []
        for _ in 0..<10 {
            bench.acknowledge()
            sent += bench.sent()
        }
        #expect(sent.first == "rare=1!" && sent.contains("answer=2!") && sent.last == "flood=59!")
        #expect(sent.count == 10 && sent.contains("flood/39=!"))
    }
}
