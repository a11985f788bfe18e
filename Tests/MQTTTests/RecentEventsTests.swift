import EventLoop
import Messages
import Testing

@testable import MQTT

@Suite("Events that a broker acknowledged just before it was lost")
struct RecentEventsTests {
    /// Sends events with the numbers 1 to `count`, under the same packet identifiers.
    private func send(_ count: Int, _ bench: OutboxBench) {
        for number in 1...count { bench.publish(.event("e", "\(number)".utf8)) }
        #expect(bench.sent().count == count)
    }

    @Test("Another broker receives the events of the last half second again, in order")
    func elsewhere() {
        let bench = OutboxBench(hasOthers: true)
        send(5, bench)
        // A reply, a state and a refused event are not repeated.
        bench.publish(
            .reply(to: "r", correlation: nil, "6".utf8), .event("e", "refused".utf8), .state("s", "8".utf8))
        _ = bench.sent()
        bench.acknowledge(1, at: .milliseconds(499))
        bench.acknowledge(2, 3, 5, 6, 8, at: .milliseconds(500))
        bench.acknowledge(7, isRefusal: true, at: .milliseconds(500))
        bench.outbox.enqueue(.event("e", "9".utf8), at: .seconds(1))
        bench.disconnect(at: .seconds(1))
        bench.connect(at: .seconds(2), isElsewhere: true)
        #expect(bench.sent() == ["s=8!r", "e=2!", "e=3!", "e=4!", "e=5!", "e=9!"])
        #expect(bench.outbox.repeated == 4)
        // They are repeated only once.
        bench.acknowledge(9, 10, 11, 12, 13, 14, at: .seconds(9))
        bench.disconnect(at: .seconds(10))
        bench.connect(at: .seconds(10), isElsewhere: true)
        #expect(bench.sent() == ["s=8!r"])
    }

    @Test(
        "The same broker, or a single one, receives only unacknowledged events again",
        arguments: [true, false])
    func same(hasOthers: Bool) {
        let bench = OutboxBench(hasOthers: hasOthers)
        send(2, bench)
        bench.acknowledge(1)
        bench.disconnect()
        bench.connect(isElsewhere: !hasOthers)
        #expect(bench.sent() == ["e=2!"])
    }

    @Test("A broker that acknowledges events and then dies causes no loss of events", .timeLimit(.minutes(1)))
    func dies() async throws {
        let dying = ScriptedBroker { packet in
            packet.type == 3 && packet.payload == "4" ? .close : .usual
        }
        let next = ScriptedBroker { _ in .usual }
        var configuration = Configuration(clientID: "several")
        configuration.servers = [dying, next].map { .init(host: "127.0.0.1", port: $0.port) }
        try await withClient(configuration) { running in
            // Independent of how long this machine stalls.
            running.client.perform { $0.outbox.recentEvents?.memory = .seconds(60) }
            try await running.connected()
            for number in 1...4 {
                running.client.publish(.event("e", "\(number)".utf8))
                if number == 3 { #expect(await running.client.flush(within: .seconds(10))) }
            }
            var heard: [String] = []
            for await packet in next.packets where packet.type == 3 {
                heard.append(packet.payload)
                if packet.payload == "4" { break }
            }
            #expect(heard == ["1", "2", "3", "4"])
        }
    }
}
