import EventLoop
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite(
    "Paused clients, and retained topics changed by another client",
    .timeLimit(.minutes(1)))
struct HoldingTests {
    private static func withWatcher(
        _ broker: TestBroker, _ body: (RunningClient) async throws -> Void
    ) async throws {
        try await withClient(
            .local(broker.port, "watcher"), subscriptions: [TopicFilter("#", tellsStored: true)]
        ) { watcher in
            try await watcher.subscribed()
            try await body(watcher)
        }
    }

    @Test("A paused client sends only probes, even over a new connection, and then all messages")
    func held() async throws {
        let broker = try TestBroker()
        try await Self.withWatcher(broker) { watcher in
            try await withClient(.local(broker.port, "bridge")) { running in
                running.client.pauseSending(true)
                running.client.publish(.state("s", "1".utf8))
                try await running.connected()
                running.client.publish(.event("e", "2".utf8))
                running.client.probe("p", payload: Array("first".utf8)) { _ in }
                try await watcher.expect("first", topic: "p")
                running.client.reconnect()
                try await running.connected()
                running.client.probe("p", payload: Array("second".utf8)) { _ in }
                try await watcher.expect("second", topic: "p")
                running.client.pauseSending(false)
                let messages = [try await watcher.message(), try await watcher.message()]
                #expect(Set(messages.map(\.topic)) == ["s", "e"])
            }
        }
    }

    @Test("A client closed while paused sends nothing, and its last will is not published")
    func closed() async throws {
        let broker = try TestBroker()
        try await Self.withWatcher(broker) { watcher in
            var configuration = Configuration.local(broker.port, "bridge")
            configuration.will = Configuration.Will(topic: "a", payload: Array("offline".utf8))
            try await withClient(configuration) { running in
                running.client.pauseSending(true)
                try await running.connected()
                running.client.publish(.state("a", "online".utf8))
            }
            try await withClient(.local(broker.port, "other")) { other in
                other.client.publish(.event("later", "x".utf8))
                try await watcher.expect("x", topic: "later")
            }
        }
    }

    /// Runs a client that restores overwritten topics below `own`, and publishes two states.
    private static func withGuarded(
        _ broker: TestBroker, _ body: (RunningClient) async throws -> Void
    ) async throws {
        let filter = TopicFilter("own/+", qos: 0, skipsStored: true, version: .five)
        try await withClient(.local(broker.port, "bridge"), subscriptions: [filter]) { running in
            running.onMessage { running.client.restore($0.topic, insteadOf: $0.payload) }
            running.client.publish(.state("own/a", "1".utf8))
            running.client.publish(.state("own/b", "1".utf8))
            try await running.subscribed()
            #expect(await running.client.flush(within: .seconds(5)))
            try await body(running)
        }
    }

    @Test("Topics that another client clears or overwrites are published again once, with one log line")
    func restored() async throws {
        let broker = try TestBroker()
        try await Self.withGuarded(broker) { running in
            try await Self.withWatcher(broker) { watcher in
                for _ in 0..<2 { _ = try await watcher.message() }
                try await withClient(.local(broker.port, "other")) { other in
                    other.client.publish(.removal(of: "own/a"))
                    other.client.publish(.state("own/b", "2".utf8))
                    try await watcher.expect("", topic: "own/a")
                    try await watcher.expect("2", topic: "own/b")
                    try await watcher.expect("1", topic: "own/a")
                    try await watcher.expect("1", topic: "own/b")
                    // An equal payload is left unchanged, and so is a topic that the bridge has released.
                    other.client.publish(.state("own/a", "1".utf8))
                    try await watcher.expect("1", topic: "own/a")
                    running.client.release(["own/b"])
                    other.client.publish(.state("own/b", "3".utf8))
                    try await watcher.expect("3", topic: "own/b")
                    other.client.publish(.removal(of: "own/a"))
                    try await watcher.expect("", topic: "own/a")
                    try await watcher.expect("1", topic: "own/a")
                }
            }
            let lines = running.log.all.split(separator: "\n").filter {
                $0.contains("cleared or overwrote")
            }
            // One line per occasion, or one per topic if the second change comes too late for a shared line.
            #expect([2, 3].contains(lines.count), "\(lines)")
        }
    }

    @Test(
        "A connection uses only the subscriptions for its protocol version",
        arguments: [false, true])
    func versions(isVersion5: Bool) async throws {
        let broker = try TestBroker()
        let configuration = Configuration.local(broker.port, "bridge", isVersion5 ? .v5 : .v311)
        let filters = [TopicFilter("five", version: .five), TopicFilter("three", version: .three)]
        try await withClient(configuration, subscriptions: filters) { running in
            try await running.subscribed()
            try await withClient(.local(broker.port, "other")) { other in
                for topic in ["five", "three"] { other.client.publish(.event(topic, "x".utf8)) }
                try await running.expect(topic: isVersion5 ? "five" : "three")
            }
        }
    }
}

@Suite("Replies that are unconfirmed when the connection ends without a reason", .timeLimit(.minutes(1)))
struct UnconfirmedReplyTests {
    @Test("Only the topics of the replies are reported, and no conflict of client ids is suspected")
    func reported() async throws {
        let broker = ScriptedBroker { packet in
            packet.type == 3 && packet.topic.hasPrefix("forbidden") ? .close : .usual
        }
        try await withClient(.local(broker.port, "bridge")) { running in
            for round in 0..<4 {
                try await running.connected()
                let topic = "forbidden/\(round)"
                running.client.publish(.reply(to: topic, correlation: nil, "x".utf8))
                for await event in running.events {
                    if case .disconnected(let error, let retryIn) = event {
                        Issue.record("not reported before \(error), \(retryIn)")
                        break
                    }
                    guard case .replyUnconfirmed(let reported) = event else { continue }
                    #expect(reported == topic)
                    break
                }
                let (error, retryIn) = try await running.disconnected()
                #expect(error.code == .connectionLost && retryIn <= .seconds(2), "\(error)")
            }
        }
    }
}
