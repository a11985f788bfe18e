import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

/// A recording of a bridge, prepared for replay: the input of the devices, and the expected messages on their topics.
///
/// For each device the session starts with its first connection and ends when the bridge disconnects it. The
/// comparison skips streams, which may drop values, and values that depend on the time of day. It also skips
/// states that are published again unchanged, as all are after a reconnect to the broker.
struct RecordedSession {
    /// A message of a device, without the fields that differ in each run.
    struct Message: Hashable, CustomStringConvertible {
        var topic: String
        var payload: String
        var description: String { "\(topic) \(payload)" }
    }

    /// A step of the replay: an input, or an expected message.
    private enum Step {
        case command(topic: String, payload: String, responseTopic: String?)
        case message(Message)
    }

    let path: String
    private let lines: [JSON.Value]
    private let devices: [String: JSON.Value]

    init(_ path: String) throws {
        self.path = path
        lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSON.Value(parsing: $0.utf8)
        }
        var devices: [String: JSON.Value] = [:]
        for line in lines where line["event"] == "link" {
            if let name = line["device"]?.string, devices[name] == nil { devices[name] = line }
        }
        self.devices = devices
    }

    /// The lines of an event.
    func lines(_ event: String) -> [JSON.Value] { lines.filter { $0["event"] == .string(event) } }

    var header: JSON.Value { lines[0] }

    /// The recorded devices with their names, addresses and settings.
    var configuration: String {
        "devices:\n"
            + devices.sorted { $0.key < $1.key }.map { name, link in
                let address = link["address"]?.string ?? ""
                let family = link["family"]?.string ?? ""
                var entry = "  \"\(name)\": { family: \(family), address: \"\(address)\""
                for member in link["settings"]?.object?.members ?? [] {
                    if member.value != .null { entry += ", \(member.key): \(member.value)" }
                }
                return entry + " }\n"
            }.joined()
    }

    /// Replays the session to a bridge, and returns the differences; none if the same messages came in the same order.
    func replay() throws -> [String] {
        let bench = try Bench()
        try bench.startSimulator(replaying: path)
        try bench.startBridge(
            configuration: configuration, environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        var reader = Reader(
            bench: bench, devices: Set(devices.keys), streams: streams, events: events)
        var differences: [String] = []
        for step in steps {
            switch step {
            case .command(let topic, let payload, let responseTopic):
                let options = responseTopic.map { ["-V", "5", "-D", "publish", "response-topic", $0] } ?? []
                try bench.publish(topic, payload, options)
            case .message(let expected):
                guard let message = reader.next() else {
                    return differences + ["expected \(expected), and nothing came"]
                }
                if message != expected { differences.append("expected \(expected), found \(message)") }
                // After this many differences all further messages would differ too.
                if differences.count == 5 { return differences }
            }
        }
        return differences
    }

    /// The number of compared messages.
    var messageCount: Int { steps.count { if case .message = $0 { true } else { false } } }

    // MARK: Parts

    private var streams: Set<String> {
        Set(lines.filter { $0["kind"] == "stream" }.compactMap { $0["topic"]?.string })
    }

    private var events: Set<String> {
        Set(lines.filter { $0["kind"] == "event" }.compactMap { $0["topic"]?.string })
    }

    private var steps: [Step] {
        var repeats = Repeats(events: events)
        var begun: Set<String> = []
        var over: Set<String> = []
        var steps: [Step] = []
        for line in lines {
            guard let device = line["device"]?.string, !over.contains(device) else { continue }
            if line["event"] == "link" { begun.insert(device) }
            guard begun.contains(device) else { continue }
            switch line["event"] {
            case "close": over.insert(device)
            case "command":
                guard let payload = line["payload"]?.string, line["group"] == nil else { continue }
                steps.append(
                    .command(
                        topic: "\(device)/\(line["feature"]?.string ?? "")/set", payload: payload,
                        responseTopic: line["response_topic"]?.string))
            case "publish":
                guard let topic = line["topic"]?.string, let payload = line["payload"]?.string,
                    ["state", "event"].contains(line["kind"]), !Self.isPassedOver(topic)
                else { continue }
                let message = Self.message(topic, payload)
                if repeats.isNews(message) { steps.append(.message(message)) }
            default: continue
            }
        }
        return steps
    }

    private static func isPassedOver(_ topic: String) -> Bool { topic.hasSuffix("/last_seen") }

    private static func message(_ topic: String, _ payload: String) -> Message {
        guard var object = (try? JSON.Value(parsing: payload.utf8))?.object else {
            return Message(topic: topic, payload: payload)
        }
        for key in varying { object[key] = nil }
        return Message(topic: topic, payload: JSON.Value.object(object).description)
    }

    /// The fields that differ in each run, or depend on the configuration.
    private static let varying = [
        "time", "since", "seq", "elapsed_ms", "rssi", "rssi_time", "attempt", "next_attempt", "configured",
        "bridge",
        "bluetooth_adapter", "id",
    ]

    /// Distinguishes a new state from one that is published again.
    private struct Repeats {
        let events: Set<String>
        private var last: [String: String] = [:]

        init(events: Set<String>) { self.events = events }

        mutating func isNews(_ message: Message) -> Bool {
            if events.contains(message.topic) { return true }
            defer { last[message.topic] = message.payload }
            return last[message.topic] != message.payload
        }
    }

    /// Reads the bridge's messages about its devices, from their connections on.
    private struct Reader {
        let bench: Bench
        let devices: Set<String>
        let streams: Set<String>
        private var repeats: Repeats
        /// The devices whose connection has started.
        private var begun: Set<String> = []

        init(bench: Bench, devices: Set<String>, streams: Set<String>, events: Set<String>) {
            repeats = Repeats(events: events)
            self.bench = bench
            self.devices = devices
            self.streams = streams
        }

        mutating func next() -> Message? {
            let end = EventLoop.now + .seconds(20)
            while let message = bench.watcher.next(within: end - EventLoop.now) {
                guard let slash = message.topic.lastIndex(of: "/") else { continue }
                let device = String(message.topic[..<slash])
                guard devices.contains(device), !streams.contains(message.topic),
                    !RecordedSession.isPassedOver(message.topic), !message.isRetained
                else { continue }
                if message.topic.hasSuffix("/connection"), message.json["state"] == "preparing" {
                    begun.insert(device)
                }
                guard begun.contains(device) else { continue }
                let found = RecordedSession.message(message.topic, message.payload)
                if repeats.isNews(found) { return found }
            }
            return nil
        }
    }
}
