import Messages
import Testing

@testable import MQTT

@Suite("An outbox that is flooded")
struct OutboxFloodTests {
    private func connected(
        limits: Configuration.Limits = .init(), window: Int = 100
    ) -> Outbox {
        var outbox = Outbox(limits: limits)
        outbox.connected(window: window, at: .zero)
        return outbox
    }

    private func urgent(_ topic: String) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: [], policy: .event, isUrgent: true)
    }

    @Test("An urgent event is dropped for no other, and goes out first, in what the window has in reserve")
    func urgentFlood() {
        var outbox = connected(limits: .init(events: 10, urgent: 3), window: 16)
        var identifier: CInt = 0
        for _ in 0..<100 { outbox.enqueue(.event("e", []), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == Array(repeating: "e=!", count: 10))
        for _ in 0..<100 { outbox.enqueue(.event("e", []), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == Array(repeating: "e=!", count: 4))
        var taken = ["a", "b"].map { outbox.enqueue(urgent($0), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == ["a=!", "b=!"])
        taken += ["c", "d", "f", "g"].map { outbox.enqueue(urgent($0), at: .zero) }
        #expect(taken == [true, true, true, true, true, false])
        for _ in 0..<100 { outbox.enqueue(.event("e", []), at: .zero) }
        // The connection does not lose them either.
        _ = outbox.disconnected()
        outbox.connected(window: 16, at: .zero)
        #expect(outbox.sendAll(from: &identifier).prefix(5) == ["a=!", "b=!", "c=!", "d=!", "f=!"])
    }

    @Test("Where too many wait, the topic or the sender with the most loses its oldest, and no other")
    func shares() {
        var outbox = connected(limits: .init(events: 10), window: 1)
        var identifier: CInt = 0
        outbox.enqueue(.event("sent", []), at: .zero)
        _ = outbox.sendAll(from: &identifier)
        outbox.enqueue(.event("rare", "1".utf8), at: .zero)
        for number in 0..<20 { outbox.enqueue(.event("flood", "\(number)".utf8), at: .zero) }
        outbox.enqueue(.reply(to: "answer", correlation: nil, "2".utf8), at: .zero)
        for number in 20..<40 {
            let topic = "flood/\(number)"
            outbox.enqueue(
                OutgoingMessage(topic: topic, payload: [], policy: .event, share: "page"), at: .zero)
        }
        for number in 40..<60 { outbox.enqueue(.event("flood", "\(number)".utf8), at: .zero) }
        #expect(outbox.dropped.events == 52 && outbox.dropped.replies == 0)
        var sent: [String] = []
        for _ in 0..<10 {
            _ = outbox.acknowledged(identifier, at: .zero)
            sent += outbox.sendAll(from: &identifier)
        }
        #expect(sent.first == "rare=1!" && sent.contains("answer=2!") && sent.last == "flood=59!")
        #expect(sent.count == 10 && sent.contains("flood/39=!"))
    }
}
