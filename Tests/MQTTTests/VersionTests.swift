import EventLoop
import Testing

@testable import MQTT

@Suite("Choosing the protocol's version", .timeLimit(.minutes(1)))
struct VersionTests {
    @Test(
        "A broker that speaks only 3.1.1 is spoken to in 3.1.1 at once, however it refuses version 5",
        arguments: [[0x20, 2, 0, 1], [0x20, 3, 0, 0x84, 0], [0x20, 2, 0, 0x84]] as [[UInt8]])
    func fallback(refusal: [UInt8]) async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { packet in
            packet.type == 1 && packet.level == 5 ? .send(refusal) : .usual
        }
        try await withClient(.local(broker.port, "fallback")) { running in
            for await event in running.events {
                guard case .connected(let connected) = event else {
                    Issue.record("\(event)")
                    break
                }
                #expect(connected.version == .v311)
                break
            }
            running.client.reconnect()
            let made = try await running.connected()
            #expect(made.version == .v311)
        }
        var levels: [UInt8] = []
        for await packet in broker.packets where packet.type == 1 {
            levels.append(packet.level)
            if levels.count == 3 { break }
        }
        #expect(levels == [5, 4, 4], "what worked is remembered")
        loop.stop()
    }

    @Test("A broker that hangs up on version 5 is spoken to in 3.1.1, after a last try")
    func fallbackAfterHangUp() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { $0.type == 1 && $0.level == 5 ? .close : .usual }
        try await withClient(.local(broker.port, "hangup")) { running in
            let made = try await running.connected()
            #expect(made.version == .v311)
        }
        var levels: [UInt8] = []
        for await packet in broker.packets where packet.type == 1 {
            levels.append(packet.level)
            if levels.count == 5 { break }
        }
        #expect(levels == [5, 5, 4, 5, 4])
        loop.stop()
    }

    @Test("A broker that never answers version 5 is spoken to in 3.1.1, after a last try, and stays so")
    func fallbackAfterSilence() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { $0.type == 1 && $0.level == 5 ? .silence : .usual }
        var configuration = Configuration.local(broker.port, "silent")
        configuration.connectTimeout = .milliseconds(100)
        try await withClient(configuration) { running in
            let made = try await running.connected()
            #expect(made.version == .v311)
            running.client.reconnect()
            let again = try await running.connected()
            #expect(again.version == .v311)
        }
        var levels: [UInt8] = []
        for await packet in broker.packets where packet.type == 1 {
            levels.append(packet.level)
            if levels.count == 5 { break }
        }
        #expect(levels == [5, 4, 5, 4, 4])
        loop.stop()
    }

    @Test("A broker that stood still at the first try is spoken to in version 5")
    func noFallbackAfterSilence() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { $0.connection < 1 ? .silence : .usual }
        var configuration = Configuration.local(broker.port, "slow")
        configuration.connectTimeout = .milliseconds(100)
        try await withClient(configuration) { running in
            let made = try await running.connected()
            #expect(made.version == .v5)
        }
        loop.stop()
    }

    @Test("A broker that hung up because it was not up yet is spoken to in version 5")
    func noFallbackAfterStart() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { $0.connection < 2 ? .close : .usual }
        try await withClient(.local(broker.port, "starting")) { running in
            let made = try await running.connected()
            #expect(made.version == .v5)
        }
        loop.stop()
    }
}
