import Messages
import Testing

@testable import MQTT

@Suite("States that are due again after a lost connection")
struct DueStateTests {
    /// Creates a long state whose payload starts with `L`.
    private func long(_ topic: String) -> OutgoingMessage {
        .state(topic, Array(repeating: UInt8(ascii: "L"), count: Outbox.longState))
    }

    private func heads(_ sent: [String]) -> [String] { sent.map { String($0.prefix(4)) } }

    @Test("New messages are sent ahead of states that are due again, in their order")
    func newAheadOfDue() {
        let bench = OutboxBench(window: nil)
        bench.publish(long("l"), .state("a", "1".utf8), .state("b", "1".utf8))
        bench.connect()
        bench.publish(.event("r", "1".utf8), .state("b", "2".utf8), .event("r", "2".utf8))
        #expect(heads(bench.sent()) == ["r=1!", "b=2!", "r=2!", "a=1!", "l=LL"])
        #expect(bench.outbox.depth == 0)
    }

    @Test("Old events are overtaken by nothing, and are sent ahead of long states")
    func longStates() {
        let bench = OutboxBench(window: nil)
        bench.publish(long("l"), .state("a", "1".utf8), .event("e", "1".utf8), long("m"))
        bench.connect()
        bench.publish(.event("r", "1".utf8), .state("b", "1".utf8))
        #expect(heads(bench.sent()) == ["a=1!", "e=1!", "r=1!", "b=1!", "l=LL", "m=LL"])
    }

    @Test("Only a few due states are in flight at a time, so that new messages arrive soon")
    func dueWindow() {
        let bench = OutboxBench(window: nil)
        for number in 1...100 { bench.publish(.state("s\(number)", "1".utf8)) }
        bench.connect(window: 1000)
        #expect(bench.sent().count == Outbox.dueWindow)
        bench.publish(.event("r", "1".utf8))
        #expect(bench.sent() == ["r=1!"])
        bench.acknowledge(1, 2)
        #expect(bench.sent() == ["s\(Outbox.dueWindow + 1)=1!r"])
    }

    @Test("A due state is sent after a limited number of other messages")
    func patience() {
        let bench = OutboxBench(window: nil)
        bench.publish(.state("a", "1".utf8))
        bench.connect(window: 1000)
        for value in 1...100 { bench.publish(.event("e", "\(value)".utf8)) }
        let sent = bench.sent()
        #expect(sent.count == 101 && sent.firstIndex(of: "a=1!r") == Outbox.patience)
    }
}
