import EventLoop
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite("Farewell", .timeLimit(.minutes(1)))
struct FarewellTests {
    private func configuration(
        _ broker: TestBroker, version: Configuration.Version = .auto, delay: Duration = .zero
    ) -> Configuration {
        var configuration = Configuration.local(broker.port, "mortal")
        configuration.version = version
        configuration.will = Configuration.Will(
            topic: "availability", payload: Array("will".utf8), delay: delay)
        return configuration
    }

    @Test(
        "A client that vanishes leaves its last will", arguments: [Configuration.Version.v5, .v311])
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
        "Last words arrive ahead of what waits, and no will follows",
        arguments: [Configuration.Version.v5, .v311])
    func lastWords(version: Configuration.Version) async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "heir"), subscriptions: [TopicFilter("#")]) { heir in
            try await heir.subscribed()
            try await withClient(configuration(broker, version: version)) { mortal in
                try await mortal.connected()
                let events = (0..<1_000).map { OutgoingMessage.event("e", "\($0)".utf8) }
                let words = [OutgoingMessage.state("availability", "offline".utf8)]
                #expect(await mortal.client.close(lastWords: words, behind: events))
            }
            var seen: [String] = []
            repeat { seen.append(String(try await heir.message())) } while seen.count < 1_001
            let place = try #require(seen.firstIndex(of: "offline"))
            #expect(place < 1_000)
            #expect(seen.filter { $0 != "offline" } == (0..<1_000).map(String.init))
            try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", "end", "-m", "end"])
            try await heir.expect("end", "no last will in between")
        }
    }

    @Test("If last words do not arrive in time, closing does not wait for ever")
    func lastWordsLost() async throws {
        let broker = try TestBroker()
        try await withClient(configuration(broker)) { mortal in
            try await mortal.connected()
            broker.freeze()
            let begin = ContinuousClock.now
            let words = [OutgoingMessage.state("availability", "offline".utf8)]
            #expect(await mortal.client.close(lastWords: words, within: .milliseconds(200)) == false)
            #expect(ContinuousClock.now - begin < .seconds(10))
            broker.thaw()
        }
    }

    @Test("A will with a delay is taken back by a reconnect in time")
    func delayedWill() async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "heir"), subscriptions: [TopicFilter("availability")]) {
            heir in
            try await heir.connected()
            let configuration = configuration(broker, delay: .seconds(4))
            let loop = try EventLoop.start(name: "mortal")
            let first = Client(configuration: configuration, loop: loop, logger: LogRecord().logger())
            let events = first.events()
            let life = Task { await first.run() }
            for await case .connected in events { break }
            life.cancel()
            await life.value
            try await withClient(configuration) { second in
                try await second.connected()
                second.client.publish(.state("availability", "online".utf8))
                try await heir.expect("online")
                #expect(await second.client.close(lastWords: [.state("availability", "offline".utf8)]))
            }
            try await heir.expect("offline")
            // The will that was taken back would have come by now.
            let silent = Client(configuration: configuration, loop: loop, logger: LogRecord().logger())
            let moreEvents = silent.events()
            let second = Task { await silent.run() }
            for await case .connected in moreEvents { break }
            let begin = ContinuousClock.now
            second.cancel()
            await second.value
            try await heir.expect("will")
            #expect(ContinuousClock.now - begin > .seconds(1))
            loop.stop()
        }
    }

    @Test("Connecting anew keeps what has to arrive, and leaves no will")
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

    @Test("Connecting anew from inside a handler throws away what had piled up behind the message")
    func reconnectInHandler() async throws {
        let loop = try EventLoop.start(name: "scripted")
        let publish: @Sendable (String) -> [UInt8] = {
            [0x30, UInt8(4 + $0.utf8.count), 0, 1, 0x74, 0] + Array($0.utf8)
        }
        let pile = publish("ab") + publish("cd") + publish("ef")
        let broker = ScriptedBroker(on: loop) { packet in
            guard packet.type == 8 else { return .usual }
            return .send(packet.connection == 0 ? pile : publish("new"))
        }
        try await withClient(.local(broker.port, "pile"), subscriptions: [TopicFilter("t")]) { running in
            let client = running.client
            running.onMessage { if String($0) == "ab" { client.reconnect() } }
            try await running.expect("ab")
            try await running.expect("new")
        }
        loop.stop()
    }

    @Test("Events that find a full queue are told: the first, then the sum after the next connect")
    func dropsAreTold() async throws {
        let port = try TestBroker.freePort()
        var configuration = Configuration.local(port, "drops")
        configuration.limits.events = 5
        try await withClient(configuration) { running in
            try await running.disconnected()
            for number in 0..<30 { running.client.publish(.event("e", "\(number)".utf8)) }
            var options = TestBroker.Options()
            options.port = port
            let broker = try TestBroker(options)
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
    /// Publishes events and closes, in one turn of the loop: no acknowledgement comes in between, and only a part of the
    /// events is sent before the last words. A busy machine has time for all of them.
    fileprivate func close(lastWords words: [OutgoingMessage], behind events: [OutgoingMessage]) async -> Bool
    {
        for event in events { publish(event) }
        return await close(lastWords: words, within: .seconds(30))
    }
}
