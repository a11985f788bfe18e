import EventLoop
import Glibc
import HostTesting
import JSON

/// A client that subscribes to all topics with `mosquitto_sub`.
final class Watcher {
    /// A received message.
    struct Message: CustomStringConvertible {
        let isRetained: Bool
        let topic: String
        let payload: String

        var json: JSON.Value { (try? JSON.Value(parsing: payload.utf8)) ?? .string(payload) }
        var description: String { "\(isRetained ? "retained " : "")\(topic) \(payload)" }
    }

    private var process: TestProcess
    private let broker: TestBroker
    /// All messages received so far.
    private(set) var seen: [Message] = []

    /// Subscribes; returns when the subscription is active.
    ///
    /// - Parameter user: A user with the password `secret`, who may read `reply/<user>/#`; anonymous if nil.
    init(_ broker: TestBroker, isThere: Bool, topics: [String] = ["#"], user: String? = nil) throws {
        self.broker = broker
        let marker = (user.map { "reply/\($0)" } ?? "watcher") + "/\(UInt32.random(in: 0...UInt32.max))"
        process = try Self.subscribe(broker, topics.contains("#") ? topics : topics + [marker], user)
        guard isThere else { return }
        // The subscription is active once a published marker comes back. With the same QoS as the retained
        // messages the marker follows all of them: Mosquitto holds back those above its in-flight limit.
        for _ in 0..<100 {
            try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-q", "1", "-t", marker, "-n"])
            let end = EventLoop.now + .milliseconds(100)
            while let message = next(within: end - EventLoop.now) {
                if message.topic == marker { return }
            }
        }
        throw Missing(what: "the watcher's subscription", seen: [])
    }

    private static func subscribe(
        _ broker: TestBroker, _ topics: [String], _ user: String?
    ) throws -> TestProcess {
        try TestProcess(
            ["mosquitto_sub"] + broker.arguments + (user.map { ["-u", $0, "-P", "secret"] } ?? [])
                + ["-q", "1", "-F", "%r %t %p"]
                + topics.flatMap { ["-t", $0] })
    }

    /// Ends the subscription.
    func stop() { process.end(with: SIGKILL) }

    /// Returns the newest message of a topic, after reading all messages that have arrived.
    func expectNewest(_ topic: String, within limit: Duration = .seconds(10)) throws -> Message {
        while next(within: .milliseconds(20)) != nil {}
        return try expect(topic, within: limit)
    }

    /// The next message on any topic.
    func next(within limit: Duration) -> Message? {
        let end = EventLoop.now + limit
        while let line = process.nextLine(within: end - EventLoop.now) {
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count >= 2, parts[0] == "0" || parts[0] == "1" else { continue }
            let message = Message(
                isRetained: parts[0] == "1", topic: String(parts[1]),
                payload: parts.count > 2 ? String(parts[2]) : "")
            seen.append(message)
            return message
        }
        return nil
    }

    /// Returns the first message of a topic from here on that meets the condition.
    ///
    /// - Parameter fromStart: Whether messages received earlier count too, as for a new watcher.
    @discardableResult
    func expect(
        _ topic: String, within limit: Duration = .seconds(10), fromStart: Bool = false,
        where condition: (Message) -> Bool = { _ in true }
    ) throws -> Message {
        let end = EventLoop.now + limit
        if fromStart, let message = seen.first(where: { $0.topic == topic && condition($0) }) {
            return message
        }
        let first = seen.count
        while let message = next(within: end - EventLoop.now) {
            if message.topic == topic, condition(message) { return message }
        }
        let news = seen[first...]
        let own = news.filter { $0.topic == topic }
        throw Missing(what: topic, seen: (own.suffix(10) + news.suffix(20)).map(\.description))
    }

    /// Returns the first message of a topic from here on with this payload.
    @discardableResult
    func expect(_ topic: String, _ payload: String, within limit: Duration = .seconds(10)) throws -> Message {
        try expect(topic, within: limit) { $0.payload == payload }
    }

    /// Waits for messages on some topics in any order, each with its own payload or any payload if nil.
    ///
    /// - Parameter fromStart: Whether messages received earlier count too, as for a new watcher.
    func expectAll(
        _ wanted: [String: String?], within limit: Duration, fromStart: Bool = false
    ) throws {
        var open = wanted
        let end = EventLoop.now + limit
        for message in fromStart ? seen : [] {
            guard let payload = open[message.topic] else { continue }
            if payload == nil || payload == message.payload { open[message.topic] = nil }
        }
        while !open.isEmpty, let message = next(within: end - EventLoop.now) {
            guard let payload = open[message.topic] else { continue }
            if payload == nil || payload == message.payload { open[message.topic] = nil }
        }
        guard open.isEmpty else {
            throw Missing(
                what: open.keys.sorted().joined(separator: " "), seen: seen.suffix(30).map(\.description))
        }
    }
}
