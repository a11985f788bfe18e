import EventLoop
import HostTesting
import Messages
import Synchronization
import Testing

@testable import MQTT

@Suite("Measuring the round trip to the broker", .timeLimit(.minutes(1)))
struct ProbeTests {
    private static let echo = TopicFilter("echo", qos: 0, receivesOwn: true)

    /// The times at which probes were passed to the socket, by payload.
    private final class Times: Sendable {
        private let times = Mutex<[String: [Duration]]>([:])
        private let payloads = AsyncStream.makeStream(of: String.self)

        var all: [String: [Duration]] { times.withLock(\.self) }
        subscript(payload: String) -> Duration? { times.withLock { $0[payload]?.first } }

        func probe(_ client: Client, _ payload: String) {
            client.probe("echo", payload: Array(payload.utf8)) { [self] time in
                times.withLock { $0[payload, default: []].append(time) }
                payloads.continuation.yield(payload)
            }
        }

        /// Waits for the next sent probe.
        func next() async -> String? {
            for await payload in payloads.stream { return payload }
            return nil
        }
    }

    /// Publishes until the socket accepts no more data and some messages wait.
    private func fill(_ client: Client) async {
        let large = [UInt8](repeating: 65, count: 100_000)
        while await client.statistics.queueDepth < 3 {
            client.publish(.stream("filling", large))
        }
    }

    @Test(
        "A probe returns to a subscription that includes own messages, after it was sent",
        arguments: [Configuration.Version.v5, .v311])
    func roundTrip(version: Configuration.Version) async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "probe", version), subscriptions: [Self.echo]) { running in
            try await running.connected()
            for await case .subscribed(let filter, let qos) in running.events {
                #expect(filter == "echo" && qos == 0)
                break
            }
            let times = Times()
            let before = EventLoop.now
            times.probe(running.client, "1")
            let message = try await running.message()
            #expect(
                message.topic == "echo" && String(message) == "1" && message.qos == 0 && !message.isRetained)
            let sent = try #require(times["1"])
            #expect(before <= sent && sent <= message.arrival)
        }
    }

    @Test("With MQTT 5, a subscription that excludes own messages receives none")
    func noLocal() async throws {
        let broker = try TestBroker()
        let subscriptions = [TopicFilter("echo", qos: 0), TopicFilter("own", receivesOwn: true)]
        try await withClient(.local(broker.port, "probe", .v5), subscriptions: subscriptions) { running in
            try await running.connected()
            let times = Times()
            times.probe(running.client, "1")
            running.client.publish(.event("own", "2".utf8))
            try await running.expect("2", "nothing of the probe", topic: "own")
            #expect(times["1"] != nil)
        }
    }

    @Test("Without a connection a probe is neither sent nor queued")
    func offline() async throws {
        let port = try TestBroker.freePort()
        try await withClient(.local(port, "probe", .v5), subscriptions: [Self.echo]) { running in
            try await running.disconnected()
            let times = Times()
            times.probe(running.client, "old")
            let broker = try TestBroker { $0.port = port }
            try await running.connected()
            times.probe(running.client, "new")
            try await running.expect("new")
            #expect(times.all.keys.sorted() == ["new"])
            broker.kill()
        }
    }

    @Test("Echoes delayed by a stalled network each have the time at which their own probe was sent")
    func stalled() async throws {
        let broker = try TestBroker()
        let relay = try TCPRelay(to: broker.port)
        defer { relay.end() }
        try await withClient(.local(relay.port, "probe", .v5), subscriptions: [Self.echo]) { running in
            try await running.connected()
            let times = Times()
            times.probe(running.client, "before")
            #expect(await times.next() == "before")
            try await running.expect("before")
            for direction in [TCPRelay.Direction.toServer, .toClients, .both] {
                relay.set(.stalled(direction))
                for number in 1...40 {
                    times.probe(running.client, "\(direction) \(number)")
                    #expect(await times.next() != nil)
                }
                let end = EventLoop.now
                #expect(await running.client.statistics.queueDepth == 0)
                relay.set(.faithful)
                for number in 1...40 {
                    let message = try await running.message()
                    #expect(String(message) == "\(direction) \(number)")
                    let sent = try #require(times[String(message)])
                    #expect(sent <= end && end < message.arrival, "handed over in the stall, back after it")
                }
            }
        }
    }

    @Test(
        "With a full socket only the newest probe waits, overtakes other messages, and has the time of its sending"
    )
    func fullSocket() async throws {
        let broker = try TestBroker()
        let relay = try TCPRelay(to: broker.port)
        defer { relay.end() }
        let subscriptions = [Self.echo, TopicFilter("filling", qos: 0, receivesOwn: true)]
        try await withClient(.local(relay.port, "probe", .v5), subscriptions: subscriptions) { running in
            try await running.connected()
            for await case .subscribed("filling", _) in running.events { break }
            let times = Times()
            relay.set(.stalled(.both))
            await fill(running.client)
            let (depth, handed) = await (
                running.client.statistics.queueDepth, running.client.statistics.sent
            )
            for number in 1...100 { times.probe(running.client, "\(number)") }
            #expect(await running.client.statistics.queueDepth == depth)
            #expect(times.all.isEmpty)
            let end = EventLoop.now
            relay.set(.faithful)
            #expect(await times.next() == "100")
            #expect(await running.client.flush(within: .seconds(20)))
            #expect(await running.client.statistics.sent == handed + depth)
            running.client.publish(.event("filling", "end".utf8))
            var order: [String] = []
            while order.last != "end" {
                let message = try await running.message()
                order.append(message.payload.count < 10 ? String(message) : "filling")
            }
            #expect(order.filter { $0 != "filling" } == ["100", "end"], "one probe, and the newest")
            #expect(times.all.keys.sorted() == ["100"] && times.all["100"]?.count == 1)
            #expect(times["100"].map { $0 >= end } == true)
            let place = try #require(order.firstIndex(of: "100"))
            #expect(place <= handed, "only what the library had already is before it")
        }
    }

    @Test("A stalled broker causes no growth, and no probe outlives its connection")
    func frozen() async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "probe", .v5), subscriptions: [Self.echo]) { running in
            try await running.connected()
            let times = Times()
            times.probe(running.client, "before")
            try await running.expect("before")
            broker.freeze()
            // The number of probes in ten minutes.
            for number in 0..<2400 { times.probe(running.client, "\(number)") }
            var statistics = await running.client.statistics
            #expect(statistics.queueDepth == 0 && statistics.inFlight == 0)
            #expect(times.all.count == 2401, "the kernel takes them: some 30 bytes each")
            await fill(running.client)
            times.probe(running.client, "waits")
            statistics = await running.client.statistics
            #expect(statistics.queueDepth <= 3)
            #expect(await running.client.hasWaitingProbe)
            broker.kill()
            try await running.disconnected()
            #expect(await !running.client.hasWaitingProbe)
            try broker.start()
            try await running.connected()
            times.probe(running.client, "after")
            try await running.expect("after")
            #expect(times["waits"] == nil)
        }
    }
}

extension Client {
    fileprivate var hasWaitingProbe: Bool { session?.probes.waiting != nil }
}
