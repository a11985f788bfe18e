import EventLoop
import HostTesting
import Logging
import Messages
import Synchronization
import Testing

@testable import MQTT

@Suite("Brokers that close the connection over forbidden topics", .timeLimit(.minutes(1)))
struct ForbiddenTopicTests {
    /// A broker's reaction to a forbidden publish.
    struct Habit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var version: Configuration.Version
        var answer: ScriptedBroker.Answer
        /// The number of connections until a topic is identified.
        var connections: Int
    }

    private static let habits = [
        Habit(testDescription: "MQTT 3.1.1, which closes", version: .v311, answer: .close, connections: 4),
        Habit(testDescription: "MQTT 5, which closes", version: .v5, answer: .close, connections: 4),
        Habit(
            testDescription: "MQTT 5, which says 0x87", version: .v5, answer: .send([0xE0, 2, 0x87, 0]),
            connections: 3),
    ]

    @Test(
        "The topic is reported and suspended; other messages arrive, and no conflict of client ids is suspected",
        arguments: habits)
    func state(habit: Habit) async throws {
        let rules = Rules(["s/7"])
        let broker = rules.broker(habit)
        let configuration = Configuration.local(broker.port, "forbidden", habit.version)
        try await withClient(configuration) { running in
            for number in 0..<20 { running.client.publish(.state("s/\(number)", "v".utf8)) }
            running.client.publish(.event("e", "1".utf8))
            let start = EventLoop.now
            try await expectRejection(of: "s/7", running)
            print("\(habit.testDescription): found after \(EventLoop.now - start)")
            #expect(EventLoop.now - start < .seconds(8))
            running.client.publish(.event("e", "2".utf8))
            running.client.publish(.state("s/7", "newer".utf8))
            #expect(await running.client.flush(within: .seconds(5)))
            #expect(rules.connections == habit.connections)
            #expect(rules.seen.isSuperset(of: (0..<20).map { "s/\($0)" } + ["e"]))
            #expect(rules.count("s/7") == habit.connections - 1)
            #expect(running.log.count(.error, "s/7") == 1)
            #expect(!running.log.all.contains("another client has our id"))
            #expect(await running.client.statistics.rejectedTopics == ["s/7"])

            // Changes the rules; a reload then retries refused topics.
            rules.forbid([])
            running.client.retryRefused()
            for await case .publishAccepted(let topic) in running.events {
                #expect(topic == "s/7")
                break
            }
            #expect(await running.client.statistics.rejectedTopics.isEmpty)
            #expect(rules.payload("s/7") == "newer")
            #expect(rules.connections == habit.connections)
        }
    }

    @Test(
        "Several forbidden topics of all kinds cost at most two connections each, and are not retried",
        arguments: habits)
    func several(habit: Habit) async throws {
        let forbidden = ["s/1", "s/2", "e/1", "x/1", "echo"]
        let rules = Rules(Set(forbidden))
        let broker = rules.broker(habit)
        let configuration = Configuration.local(broker.port, "several", habit.version)
        try await withClient(configuration) { running in
            for topic in ["s/0", "s/1", "s/2"] { running.client.publish(.state(topic, "v".utf8)) }
            running.client.publish(.event("e/1", "v".utf8))
            running.client.publish(.event("e/2", "v".utf8))
            // Streams and probes are not kept, so they are published repeatedly.
            let client = running.client
            let source = Task {
                while !Task.isCancelled {
                    client.publish(.stream("x/1", "v".utf8))
                    client.publish(.stream("x/2", "v".utf8))
                    client.probe("echo", payload: [1]) { _ in }
                    try await client.loop.sleep(until: EventLoop.now + .milliseconds(20))
                }
            }
            defer { source.cancel() }
            var left = Set(forbidden)
            for await case .publishRefused(let topic, _) in running.events {
                left.remove(topic)
                if left.isEmpty { break }
            }
            let connections = rules.connections
            for number in 0..<50 {
                client.publish(.event("e/2", "\(number)".utf8))
                let isDone = await client.flush(within: .seconds(5))
                try #require(isDone)
            }
            #expect(rules.connections == connections, "it stands from then on")
            #expect(connections <= habit.connections + 2 * forbidden.count)
            #expect(await client.statistics.rejectedTopics == forbidden.sorted())
            #expect(rules.seen.isSuperset(of: ["s/0", "e/2", "x/2"]))
        }
    }

    @Test("A second client with the same client id is recognized, and no topic is rejected")
    func fight() async throws {
        let broker = try TestBroker()
        try await withClient(.local(broker.port, "twin")) { first in
            try await withClient(.local(broker.port, "twin")) { second in
                // Whichever client is disconnected for the third time waits, and the other one stays connected.
                let (takeovers, sink) = AsyncStream.makeStream(of: Duration.self)
                for twin in [first, second] {
                    twin.onEvent { event in
                        guard case .disconnected(let error, let retryIn) = event,
                            error.code == .sessionTakenOver
                        else { return }
                        sink.yield(retryIn)
                    }
                }
                // Keeps messages in flight whenever the connection is lost.
                let sources = [first.client, second.client].map { client in
                    Task {
                        while !Task.isCancelled {
                            for number in 0..<20 { client.publish(.state("s/\(number)", "v".utf8)) }
                            try await client.loop.sleep(until: EventLoop.now + .milliseconds(1))
                        }
                    }
                }
                defer { for source in sources { source.cancel() } }
                for await retryIn in takeovers {
                    #expect(retryIn >= .seconds(2.5) && retryIn <= .seconds(5))
                    break
                }
                for client in [first.client, second.client] {
                    #expect(await client.statistics.rejectedTopics.isEmpty)
                }
            }
        }
    }

    private func expectRejection(of topic: String, _ running: RunningClient) async throws {
        for await event in running.events {
            switch event {
            case .publishRefused(let refused, let reason):
                #expect(
                    refused == topic && reason.description.contains("nothing more is published on the topic"))
                return
            case .disconnected(let error, let retryIn):
                #expect(error.code != .sessionTakenOver && retryIn < .seconds(2), "\(error)")
            default: continue
            }
        }
        throw HarnessError.ended
    }

    /// The topics that a broker forbids, and the messages that it received.
    private final class Rules: Sendable {
        private struct State {
            var forbidden: Set<String>
            var published: [(topic: String, payload: String)] = []
            var connections = 0
        }

        private let state: Mutex<State>

        init(_ forbidden: Set<String>) { state = Mutex(State(forbidden: forbidden)) }

        func forbid(_ topics: Set<String>) { state.withLock { $0.forbidden = topics } }

        var connections: Int { state.withLock(\.connections) }
        var seen: Set<String> { state.withLock { Set($0.published.map(\.topic)) } }
        func count(_ topic: String) -> Int { state.withLock { $0.published.count { $0.topic == topic } } }
        func payload(_ topic: String) -> String? {
            state.withLock { $0.published.last { $0.topic == topic }?.payload }
        }

        func broker(_ habit: Habit) -> ScriptedBroker {
            ScriptedBroker { [self] packet in
                state.withLock { state in
                    if packet.type == 1 { state.connections += 1 }
                    guard packet.type == 3 else { return .usual }
                    state.published.append((packet.topic, packet.payload))
                    return state.forbidden.contains(packet.topic) ? habit.answer : .usual
                }
            }
        }
    }
}
