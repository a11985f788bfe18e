import EventLoop
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite("Closing a connection", .timeLimit(.minutes(1)))
struct FarewellTests {
    private func configuration(
        _ broker: TestBroker, version: Configuration.Version = .auto
    ) -> Configuration {
        var configuration = Configuration.local(broker.port, "mortal", version)
        configuration.will = Configuration.Will(topic: "availability", payload: Array("will".utf8))
        return configuration
    }

    @Test(
        "A client that disappears leaves its last will", arguments: [Configuration.Version.v5, .v311])
    func will(version: Configuration.Version) async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "heir"), subscriptions: [TopicFilter("availability")]) {
            heir in
            try await heir.connected()
            let loop = try EventLoop.start(name: "mortal")
            let mortal = Client(
                configuration: configuration(broker, version: version), loop: loop,
                logger: LogRecord().logger())
            let events = mortal.events()
            mortal.publish(.state("availability", "online".utf8))
            let life = Task { await mortal.run() }
            for await case .connected in events { break }
            try await heir.expect("online")
            life.cancel()
            await life.value
            let last = try await heir.message()
            #expect(String(last) == "will" && last.isRetained)
            loop.stop()
        }
    }

    @Test(
        "A closed client delivers all its messages, urgent ones first, and leaves no will",
        arguments: [Configuration.Version.v5, .v311])
    func close(version: Configuration.Version) async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "heir"), subscriptions: [TopicFilter("#")]) { heir in
            try await heir.subscribed()
            try await withClient(configuration(broker, version: version)) { mortal in
                try await mortal.connected()
                #expect(await mortal.client.closeBehindFlood())
            }
            var seen: [String] = []
            repeat { seen.append(String(try await heir.message())) } while seen.count < 1_001
            #expect(try #require(seen.firstIndex(of: "offline")) < 1_000)
            #expect(seen.filter { $0 != "offline" } == (0..<1_000).map(String.init))
            try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", "end", "-m", "end"])
            try await heir.expect("end", "no last will in between")
        }
    }

    @Test("A stalled broker delays neither closing nor a new connection indefinitely")
    func frozen() async throws {
        let broker = try TestBroker()
        try await withClient(configuration(broker)) { mortal in
            try await mortal.connected()
            broker.freeze()
            mortal.client.reconnect()
            try await mortal.disconnected()
            broker.thaw()
            try await mortal.connected()
            broker.freeze()
            mortal.client.publish(.event("e", "x".utf8))
            let start = ContinuousClock.now
            #expect(await mortal.client.close(within: .milliseconds(200)) == false)
            #expect(ContinuousClock.now - start < .seconds(10))
            broker.thaw()
        }
    }

    @Test("A requested reconnect keeps messages that have to arrive, and leaves no will")
    func reconnect() async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "heir"), subscriptions: [TopicFilter("#")]) { heir in
            try await heir.connected()
            try await withClient(configuration(broker)) { mortal in
                try await mortal.connected()
                mortal.client.publish(.state("s", "1".utf8))
                try await heir.expect("1")
                mortal.client.reconnect()
                mortal.client.publish(.event("e", "2".utf8))
                try await mortal.connected()
                try await heir.expect("1")
                try await heir.expect("2")
            }
        }
    }

    @Test("A reconnect inside a handler discards the messages queued after the current one")
    func reconnectInHandler() async throws {
        let publish: @Sendable (String) -> [UInt8] = {
            [0x30, UInt8(4 + $0.utf8.count), 0, 1, 0x74, 0] + Array($0.utf8)
        }
        let pile = publish("ab") + publish("cd") + publish("ef")
        let broker = ScriptedBroker { packet in
            guard packet.type == 8 else { return .usual }
            return .send(packet.connection == 0 ? pile : publish("new"))
        }
        try await withClient(.local(broker.port, "pile"), subscriptions: [TopicFilter("t")]) { running in
            let client = running.client
            running.onMessage { if String($0) == "ab" { client.reconnect() } }
            try await running.expect("ab")
            try await running.expect("new")
        }
    }

    @Test("Events lost to a full queue are reported at the first loss and in total after the next connect")
    func dropsAreTold() async throws {
        let port = try TestBroker.freePort()
        var configuration = Configuration.local(port, "drops")
        configuration.limits.events = 5
        try await withClient(configuration) { running in
            try await running.disconnected()
            for number in 0..<30 { running.client.publish(.event("e", "\(number)".utf8)) }
            let broker = try TestBroker { $0.port = port }
            var told: [Int] = []
            for await case .eventsDropped(let total, _) in running.events {
                told.append(total)
                if total == 25 { break }
            }
            #expect(told == [1, 10, 25])
            broker.kill()
        }
    }
}

extension Client {
    /// Publishes events and an urgent state, and closes, in one round of the loop: no acknowledgement arrives in
    /// between, and only a part of the events is sent before the state. On a busy machine all of them may be sent.
    fileprivate func closeBehindFlood() async -> Bool {
        for number in 0..<1_000 { publish(.event("e", "\(number)".utf8)) }
        var state = OutgoingMessage.state("availability", "offline".utf8)
        state.isUrgent = true
        publish(state)
        return await close(within: .seconds(30))
    }
}
