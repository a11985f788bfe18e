import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

/// A recording of a bridge, as a test replays it: what is sent to the devices, and what is expected of their topics.
///
/// Of each device the part counts from its first link until the bridge closes one. Streams, which may leave values out,
/// and what goes by the time of day are passed over, and so is a state that is said again as it was: after a connection
/// to the broker that was lost, all of them are.
struct RecordedSession {
    /// A message of a device, without what differs each time.
    struct Message: Hashable, CustomStringConvertible {
        var topic: String
        var payload: String
        var description: String { "\(topic) \(payload)" }
    }

    /// What is to be done, or to be seen.
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

    /// The devices under the names, the addresses and the settings that they had.
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

    /// Plays it to a bridge, and returns what differs: nothing, if the same topics came in the same order.
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
                // Everything behind it would differ too.
                if differences.count == 5 { return differences }
            }
        }
        return differences
    }

    /// How many messages are compared.
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

    /// What differs each time, and what stands in the configuration.
    private static let varying = [
        "time", "since", "seq", "elapsed_ms", "rssi", "attempt", "next_attempt", "configured", "bridge",
        "bluetooth_adapter", "id",
    ]

    /// Tells what is new from a state that is said again.
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

    /// Reads what the bridge says of its devices, from their links on.
    private struct Reader {
        let bench: Bench
        let devices: Set<String>
        let streams: Set<String>
        private var repeats: Repeats
        /// The devices whose link has begun.
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
