import EventLoop
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite("Random and configured client ids, and conflicts with another client")
struct ClientIDTests {
    private static func configuration(_ port: UInt16, isRandom: Bool) -> Configuration {
        var configuration = Configuration.local(port, "tactile-bridge-attic")
        if isRandom {
            configuration.useRandomClientID("tactile-bridge-attic", end: Configuration.randomClientIDEnd())
        }
        return configuration
    }

    /// The client id of a CONNECT, in either version.
    private static func clientID(_ packet: ScriptedBroker.Packet) -> String {
        let start = packet.isVersion5 ? 10 + 1 + Int(packet.body[10]) : 10
        let length = Int(packet.body[start]) << 8 | Int(packet.body[start + 1])
        return String(decoding: packet.body.dropFirst(start + 2).prefix(length), as: UTF8.self)
    }

    @Test("A conflict on a random client id leads to a new id without a delay")
    func random() async throws {
        let broker = ScriptedBroker { packet in
            packet.type == 3 ? .send([0xE0, 2, 0x8E, 0]) : .usual
        }
        try await withClient(Self.configuration(broker.port, isRandom: true), random: 0.999) { running in
            try await running.connected()
            running.client.publish(.stream("s", "x".utf8))
            let (_, retryIn) = try await running.disconnected()
            #expect(retryIn <= .seconds(1))
            try await running.connected()
        }
        var ids: [String] = []
        for await packet in broker.packets where packet.type == 1 {
            ids.append(Self.clientID(packet))
            if ids.count == 2 { break }
        }
        #expect(Set(ids).count == 2)
        #expect(ids.allSatisfy { $0.hasPrefix("tactile-bridge-attic-") })
    }

    @Test(
        "The client reconnects within 2 s after each of five broker restarts, or within 5 s with a configured id",
        arguments: [(true, true), (true, false), (false, true)])
    func restarts(isRandom: Bool, isLocal: Bool) async throws {
        let broker = try TestBroker()
        var configuration = Self.configuration(broker.port, isRandom: isRandom)
        // A name that resolves to this host counts as a remote broker.
        if !isLocal { configuration.host = "broker.example" }
        try await withClient(
            configuration, random: 0.999, resolve: isLocal ? nil : resolve("127.0.0.1")
        ) { running in
            try await running.connected()
            var times: [Duration] = []
            for _ in 0..<5 {
                broker.stop()
                try broker.start()
                let start = EventLoop.now
                try await running.connected()
                times.append(EventLoop.now - start)
            }
            // A pause of at most 5 s, and the time to connect.
            let limit = Duration.milliseconds(isRandom ? 2000 : 5500)
            #expect(times.allSatisfy { $0 <= limit }, "\(times)")
            print(
                "five restarts, random id \(isRandom), local \(isLocal): back after \(times.max() ?? .zero) at most"
            )
        }
    }
}
