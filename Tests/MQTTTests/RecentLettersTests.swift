import EventLoop
import Messages
import Testing

@testable import MQTT

@Suite("Events that a broker acknowledged just before it was lost")
struct RecentLettersTests {
    private func outbox(hasOthers: Bool = true) -> Outbox {
        var outbox = Outbox(hasOthers: hasOthers)
        outbox.connected(window: 100, at: .zero)
        return outbox
    }

    /// Sends events with the numbers 1 to `count`, under the same identifiers.
    private func send(_ count: Int, _ outbox: inout Outbox) {
        var identifier: CInt = 0
        for number in 1...count { outbox.enqueue(.event("e", "\(number)".utf8), at: .zero) }
        #expect(outbox.sendAll(from: &identifier).count == count)
    }

    @Test("At another broker those of the last half second come again, each in its place")
    func elsewhere() {
        var outbox = outbox()
        send(5, &outbox)
        // An answer, a state and a refused event are not among them.
        outbox.enqueue(.reply(to: "r", correlation: nil, "6".utf8), at: .zero)
        outbox.enqueue(.event("e", "refused".utf8), at: .zero)
        outbox.enqueue(.state("s", "8".utf8), at: .zero)
        var identifier: CInt = 5
        _ = outbox.sendAll(from: &identifier)
        _ = outbox.acknowledged(1, at: .milliseconds(499))
        for identifier: CInt in [2, 3, 5, 6, 8] {
            _ = outbox.acknowledged(identifier, at: .milliseconds(500))
        }
        _ = outbox.acknowledged(7, isRefusal: true, at: .milliseconds(500))
        outbox.enqueue(.event("e", "9".utf8), at: .seconds(1))
        _ = outbox.disconnected(at: .seconds(1))
        outbox.connected(window: 100, at: .seconds(2), isElsewhere: true)
        identifier = 0
        #expect(outbox.sendAll(from: &identifier) == ["s=8!r", "e=2!", "e=3!", "e=4!", "e=5!", "e=9!"])
        #expect(outbox.repeated == 4)
        // Once is enough.
        for identifier: CInt in 1...6 { _ = outbox.acknowledged(identifier, at: .seconds(9)) }
        _ = outbox.disconnected(at: .seconds(10))
        outbox.connected(window: 100, at: .seconds(10), isElsewhere: true)
        #expect(outbox.sendAll(from: &identifier) == ["s=8!r"])
    }

    @Test("At the same broker, or where there is no other, only what it did not acknowledge comes again")
    func same() {
        for hasOthers in [true, false] {
            var outbox = outbox(hasOthers: hasOthers)
            send(2, &outbox)
            _ = outbox.acknowledged(1, at: .zero)
            _ = outbox.disconnected(at: .zero)
            outbox.connected(window: 100, at: .zero, isElsewhere: !hasOthers)
            var identifier: CInt = 0
            #expect(outbox.sendAll(from: &identifier) == ["e=2!"])
        }
    }

    @Test("A broker that acknowledges events and dies with them costs none of them", .timeLimit(.minutes(1)))
    func dies() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let dying = ScriptedBroker(on: loop) { packet in
            packet.type == 3 && packet.payload == "4" ? .close : .usual
        }
        let next = ScriptedBroker(on: loop) { _ in .usual }
        var configuration = Configuration(clientID: "several")
        configuration.servers = [dying, next].map { .init(host: "127.0.0.1", port: $0.port) }
        try await withClient(configuration) { running in
            // However long this machine stands still.
            running.client.perform { $0.outbox.recentLetters?.memory = .seconds(60) }
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
