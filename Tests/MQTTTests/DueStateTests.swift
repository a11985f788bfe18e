import Messages
import Testing

@testable import MQTT

@Suite("States that are due again behind a lost connection")
struct DueStateTests {
    /// A state that is long, and looks like its first byte.
    private func long(_ topic: String) -> OutgoingMessage {
        .state(topic, Array(repeating: UInt8(ascii: "L"), count: Outbox.longState))
    }

    private func heads(_ sent: [String]) -> [String] { sent.map { String($0.prefix(4)) } }

    @Test("After a connect: what is new goes ahead of states that are due again, in its order")
    func newAheadOfDue() {
        var outbox = Outbox()
        var identifier: CInt = 0
        for message in [long("l"), .state("a", "1".utf8), .state("b", "1".utf8)] {
            outbox.enqueue(message, at: .zero)
        }
        outbox.connected(window: 100, at: .zero)
        for message: OutgoingMessage in [
            .event("r", "1".utf8), .state("b", "2".utf8), .event("r", "2".utf8),
        ] { outbox.enqueue(message, at: .zero) }
        #expect(heads(outbox.sendAll(from: &identifier)) == ["r=1!", "b=2!", "r=2!", "a=1!", "l=LL"])
        #expect(outbox.depth == 0)
    }

    @Test("After a connect: events of before are overtaken by nothing, and come ahead of long states")
    func longStates() {
        var outbox = Outbox()
        var identifier: CInt = 0
        for message in [long("l"), .state("a", "1".utf8), .event("e", "1".utf8), long("m")] {
            outbox.enqueue(message, at: .zero)
        }
        outbox.connected(window: 100, at: .zero)
        outbox.enqueue(.event("r", "1".utf8), at: .zero)
        outbox.enqueue(.state("b", "1".utf8), at: .zero)
        #expect(heads(outbox.sendAll(from: &identifier)) == ["a=1!", "e=1!", "r=1!", "b=1!", "l=LL", "m=LL"])
    }

    @Test("Of states that are due again a few are under way at once, so that what is new soon arrives")
    func dueWindow() {
        var outbox = Outbox()
        var identifier: CInt = 0
        for number in 1...100 { outbox.enqueue(.state("s\(number)", "1".utf8), at: .zero) }
        outbox.connected(window: 1000, at: .zero)
        #expect(outbox.sendAll(from: &identifier).count == Outbox.dueWindow)
        outbox.enqueue(.event("r", "1".utf8), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["r=1!"])
        for number in 1...2 { _ = outbox.acknowledged(CInt(number), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == ["s\(Outbox.dueWindow + 1)=1!r"])
    }

    @Test("A state that is due again does not wait for ever")
    func patience() {
        var outbox = Outbox()
        var identifier: CInt = 0
        outbox.enqueue(.state("a", "1".utf8), at: .zero)
        outbox.connected(window: 1000, at: .zero)
        for value in 1...100 { outbox.enqueue(.event("e", "\(value)".utf8), at: .zero) }
        let sent = outbox.sendAll(from: &identifier)
        #expect(sent.count == 101 && sent.firstIndex(of: "a=1!r") == Outbox.patience)
    }
}

extension Outbox {
    /// Hands everything over that may go and says what it was: `topic=payload`, with `!` for QoS 1.
    mutating func sendAll(from identifier: inout CInt) -> [String] {
        var sent: [String] = []
        while let delivery = next() {
            identifier += 1
            handedOver(delivery, as: identifier, at: .zero)
            let mark = delivery.qos == 1 ? (delivery.retain ? "!r" : "!") : ""
            sent.append("\(delivery.topic)=\(String(decoding: delivery.payload, as: UTF8.self))\(mark)")
        }
        return sent
    }
}
