import EventLoop
import Glibc
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite("Reconnecting after a delay", .timeLimit(.minutes(1)))
struct RenewalTests {
    /// Blocks a loop until it is released.
    private final class Barrier: Sendable {
        private let ends: [CInt]

        init() throws {
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            self.ends = ends
        }

        deinit { for end in ends { close(end) } }

        func wait() {
            var byte: UInt8 = 0
            _ = read(ends[0], &byte, 1)
        }

        func open() {
            var byte: UInt8 = 1
            _ = write(ends[1], &byte, 1)
        }
    }

    @Test("A stall of the process is detected before each message is delivered")
    func stoodStill() async throws {
        let broker = ScriptedBroker { packet in
            // The topic s with the payloads a and b, in one segment.
            packet.type == 3
                ? .send([0x30, 5, 0, 1, 0x73, 0, 0x61, 0x30, 5, 0, 1, 0x73, 0, 0x62]) : .usual
        }
        try await withClient(.local(broker.port, "still")) { running in
            try await running.connected()
            let (order, happened) = AsyncStream.makeStream(of: String.self)
            let client = running.client
            running.onMessage { message in
                happened.yield(String(message))
                let end = EventLoop.now + .milliseconds(180)
                while String(message) == "a", EventLoop.now < end {}
            }
            client.loop.execute {
                client.loop.onStall(limit: .milliseconds(30)) { _ in happened.yield("late") }
                client.loop.detectsStalls = true
                client.publish(.event("e", "x".utf8))
            }
            var seen: [String] = []
            for await what in order {
                seen.append(what)
                if what == "b" { break }
            }
            #expect(seen == ["a", "late", "b"])
        }
    }

    @Test("All messages sent before are read, including the broker's queue; then the client reconnects")
    func drainAndReconnect() async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "sender")) { sender in
            try await sender.connected()
            let subscription = TopicFilter("t", qos: 1)
            try await withClient(.local(broker.port, "late"), subscriptions: [subscription]) { late in
                try await late.connected()
                sender.client.publish(.state("t", "first".utf8))
                try await late.expect("first")

                let (client, barrier) = (late.client, try Barrier())
                client.loop.execute {
                    barrier.wait()
                    client.drainAndReconnect()
                }
                // More messages than the broker sends without an acknowledgement.
                for number in 0..<200 { sender.client.publish(.event("t", "\(number)".utf8)) }
                #expect(await sender.client.flush(within: .seconds(20)))
                barrier.open()
                for number in 0..<200 { try await late.expect("\(number)") }
                try await late.disconnected()
                try await late.connected()
                // The new subscription delivers the retained message.
                try await late.expect("first")
            }
        }
    }

    @Test("An unresponsive broker is left after the time limit")
    func silentBroker() async throws {
        let broker = ScriptedBroker { packet in packet.type == 10 ? .silence : .usual }
        try await withClient(.local(broker.port, "patient")) { running in
            try await running.connected()
            running.client.drainAndReconnect(within: .milliseconds(50))
            try await running.disconnected()
            try await running.connected()
        }
    }
}
