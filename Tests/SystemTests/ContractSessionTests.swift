import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("All messages of a whole session, and the contract", .serialized)
struct ContractSessionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private static let scenario = """
        devices:
          belt: { address: "C0:FF:EE:00:00:01", choices: { pairing: anytime } }
          tap: { address: "C0:FF:EE:00:00:02" }
          robot: { address: "C0:FF:EE:00:00:03" }
          glove: { kind: tap, address: "C0:FF:EE:00:00:07", choices: { model: xr, mouse_angles: true } }
          frame: { kind: tap, address: "C0:FF:EE:00:00:08", choices: { model: xr, framed: only } }
          wrist: { kind: file, file: \(root)/config/devices/buzz.yaml, bluetooth_name: Buzz 1, address: "C0:FF:EE:00:00:04" }
          strap: { kind: file, file: \(root)/config/devices/heart.yaml, bluetooth_name: HRM, address: "C0:FF:EE:00:00:05" }
        """
    private static let configuration = """
        robot: { allow_weapon: true }
        groups: { room: [belt, wrist] }
        home_assistant: { enabled: false }
        bridge: { stats_interval_s: 5 }
        log: { mqtt: info }
        devices:
          belt: { family: belt, address: "C0:FF:EE:00:00:01" }
          pen: { family: tap, address: "C0:FF:EE:00:00:02", raw_batch_ms: 50 }
          glove: { family: tap, address: "C0:FF:EE:00:00:07", default_xr_state: air_mouse }
          frame: { family: tap, address: "C0:FF:EE:00:00:08" }
          robot: { family: robot, address: "C0:FF:EE:00:00:03" }
          wrist: { family: buzz, address: "C0:FF:EE:00:00:04" }

        """
    /// The names of a device that joins and is then renamed.
    private static let joined = """
          heart/000005: { family: heart, address: "C0:FF:EE:00:00:05" }
          hall/heart: { family: heart, address: "C0:FF:EE:00:00:06" }

        """
    private static let environment = [
        "TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit", "TACTILE_BRIDGE_BRIDGE_ID": "test",
        "TACTILE_BRIDGE_HAPTICS_DIRECTORY": "\(root)/config/patterns",
    ]
    /// A payload that no command with an object payload accepts.
    private static let nonsense = #"{"no_such_key":1}"#

    @Test("Each command of each feature by its example: all messages fit the schemas of their topics")
    func session() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(configuration: Self.configuration, environment: Self.environment)
        try bench.watcher.expectAll(
            [
                "belt/availability": "online", "pen/availability": "online", "robot/availability": "online",
                "wrist/availability": "online", "glove/availability": "online",
                "frame/availability": "online",
            ], within: .seconds(30))
        let schemas = try document("jsonschema", bench)
        let asyncAPI = try document("asyncapi", bench)
        let contract = try Commands(file: schemas)

        try wear(bench)
        try bench.expectOpenRobot()
        for _ in 0..<2 {
            for device in ["pen", "robot", "wrist", "belt"] {
                try expectOnline(device, bench)
                for command in contract.commands(below: "\(device)/") { try send(command, bench) }
            }
        }
        try expectOnline("belt", bench)
        for group in ["room/", "all/"] {
            for command in contract.commands(below: group) { try send(command, bench) }
        }
        try requests(contract, bench)
        try mishaps(bench)
        _ = simulator
        try bench.endBridge(with: SIGTERM)
        try bench.watcher.expect("bridge/test/availability", "offline")

        // Topics that the test's own clients chose are not part of the contract.
        let said = bench.watcher.seen.filter { message in
            !["watcher/", "answer/"].contains { message.topic.hasPrefix($0) }
        }
        let lines = said.map { message -> String in
            var line: JSON.Object = ["topic": .string(message.topic), "payload": .string(message.payload)]
            if message.payload == Self.nonsense { line["refused"] = true }
            return JSON.Value.object(line).description
        }
        let file = try bench.folder.write(lines.joined(separator: "\n"), to: "session")
        let report = try TestProcess.run([
            "sh", "-c",
            "PYTHONPATH='\(Self.root)/.build/python' exec python3 '\(Self.root)/Tests/Contract/validate.py' "
                + "session '\(schemas)' '\(asyncAPI)' < '\(file)'",
        ])
        print(report)
    }

    /// Waits until a device is online, as a new client sees it.
    private func expectOnline(_ device: String, _ bench: Bench) throws {
        let topic = "\(device)/availability"
        let watcher = try Watcher(bench.broker, isThere: true, topics: [topic])
        defer { watcher.stop() }
        try watcher.expect(topic, within: .seconds(30), fromStart: true) { $0.payload == "online" }
    }

    /// Waits for a message, unless it is among those seen since number `count`.
    private func expect(_ topic: String, _ payload: String, from count: Int, _ bench: Bench) throws {
        guard !bench.watcher.seen[count...].contains(where: { $0.topic == topic && $0.payload == payload })
        else { return }
        try bench.watcher.expect(topic, payload)
    }

    /// Writes a contract document of the installation, and returns its path.
    private func document(_ format: String, _ bench: Bench) throws -> String {
        let file = try bench.folder.write(Self.configuration + Self.joined, to: "\(format).yaml")
        let program = try Program(
            "tactile-bridge", ["topics", "--format", format, "--configured", "--config", file],
            environment: Self.environment)
        var lines: [String] = []
        while let line = program.nextLine(within: .seconds(30)) { lines.append(line) }
        return try bench.folder.write(lines.joined(separator: "\n"), to: "\(format).json")
    }

    /// Sends a command by its example and then an invalid payload, and waits for the answers.
    private func send(_ command: Commands.Entry, _ bench: Bench) throws {
        // The simulator blocks on a full pipe.
        while bench.simulator?.nextLine(within: .milliseconds(1)) != nil {}
        let id = "\(UInt32.random(in: 0...UInt32.max))"
        var payload = command.example
        if case .object(var object) = payload {
            object["id"] = .string(id)
            payload = .object(object)
        }
        let hasID = payload["id"] != nil
        let before = bench.watcher.seen.count
        try bench.publish(command.topic, payload.string ?? payload.description)
        if hasID || !command.isQuiet {
            // A scan takes 15 s.
            try bench.watcher.expect(command.answered, within: .seconds(30)) { message in
                let answer = message.json
                return hasID ? answer["id"] == .string(id) : answer[command.subject] == .string(command.name)
            }
        }
        // The new name closes the connection, before or after the answer.
        if command.topic == "belt/device_name/set" {
            try expect("belt/availability", "offline", from: before, bench)
            try expectOnline("belt", bench)
        }
        guard !command.isStop else { return }
        try bench.publish(command.topic, Self.nonsense)
        try bench.watcher.expect(command.answered, within: .seconds(15)) {
            $0.json[command.subject] == .string(command.name) && $0.json["status"] == "error"
        }
    }

    /// Simulates what a wearer does, so that devices publish the topics that depend on it.
    private func wear(_ bench: Bench) throws {
        for line in [
            "belt press home", "belt press compass", "belt press compass", "belt turn 30", "belt battery 42",
            "tap 5",
            "tap mouse 12 -3", "tap gesture 2", "tap air-mouse on", "tap air-mouse off", "tap battery 42",
        ] {
            try bench.act(line)
        }
        try bench.watcher.expectAll(
            ["belt/button": nil, "pen/tapped": nil, "pen/moused": nil, "pen/gesture": nil],
            within: .seconds(20),
            fromStart: true)
        try bench.expectOK("pen/input_mode/set", "raw")
        try bench.act("tap raw 50")
        try bench.watcher.expect("pen/raw")
        try bench.act("tap raw 0")
        try models(bench)
        try bench.expectOK("belt/orientation/set", "on")
        try bench.watcher.expect("belt/orientation")
    }

    /// Simulates other models and devices of device files, for the topics that only these have.
    private func models(_ bench: Bench) throws {
        for line in [
            "glove shift locked", "glove hand thumb-index 10", "frame gesture left",
            #"wrist notify tx {"button_val":1}\n"#, #"wrist notify tx {"battery_soc":42}\n"#,
        ] {
            try bench.act(line)
        }
        try bench.watcher.expectAll(
            [
                "glove/keyboard": nil, "glove/pointer": nil, "glove/hand": nil, "frame/air_gesture": nil,
                "wrist/button": nil, "wrist/battery": nil,
            ], within: .seconds(20), fromStart: true)
        try bench.act("glove hand open 10")
        for device in ["glove", "frame"] {
            try bench.expectOK("\(device)/vibrate/set", "[100]")
        }
        try bench.expectOK("glove/xr_state/set", "tapping")
        try bench.expectOK("frame/sensing/set", #"{"standby_gesture":true}"#)
        try bench.expectOK("frame/standby/set", "false")
    }

    /// Sends each request; a device joins, is renamed and is removed.
    private func requests(_ contract: Commands, _ bench: Bench) throws {
        try bench.publish("bridge/test/request/permit_join", #"{"seconds":60,"families":["heart"]}"#)
        try bench.watcher.expect("heart/000005/availability", "online", within: .seconds(30))
        for line in [
            #"strap rate {"rate":72}"#, "strap notify measurement 1f4800ffff0004", "strap notify charge 57",
        ] {
            try bench.act(line)
        }
        try bench.watcher.expect("heart/000005/beat")
        for command in contract.commands(below: "heart/000005/") { try send(command, bench) }
        try bench.publish(
            "bridge/test/request/rename", #"{"device":"heart/000005","to":"hall/heart","id":7}"#)
        try bench.watcher.expect("bridge/test/response/rename") { $0.json["status"] == "ok" }
        try bench.publish("bridge/test/request/disconnect", "hall/heart")
        try bench.watcher.expect("bridge/test/response/disconnect") { $0.json["status"] == "ok" }
        try bench.publish("bridge/test/request/connect", "hall/heart")
        try bench.watcher.expect("bridge/test/response/connect", within: .seconds(35)) {
            $0.json["status"] == "ok"
        }
        try bench.publish("bridge/test/request/forget", "hall/heart")
        try bench.watcher.expect("bridge/test/response/forget") { $0.json["status"] == "ok" }
        for command in contract.commands(below: "bridge/test/request/") { try send(command, bench) }
        try bench.publish("bridge/test/request/connect", "belt")
        try expectOnline("belt", bench)
    }

    /// Simulates failures: an adapter disappears with all its connections.
    private func mishaps(_ bench: Bench) throws {
        try bench.act("adapter off")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "adapter_lost" }
        try bench.act("adapter on")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "adapter_back" }
        try bench.watcher.expect("bridge/test/stats", within: .seconds(15))
    }
}

/// The commands of a contract, with the examples from its schemas.
private struct Commands {
    struct Entry {
        var topic: String
        var example: JSON.Value
        var traits: [String]
        /// The topic of the answer.
        var answered: String

        /// The name of the feature or the request.
        var name: String {
            let levels = topic.split(separator: "/").map(String.init)
            return levels.last == "set" ? levels[levels.count - 2] : levels.last ?? ""
        }
        /// The key in the answer that contains the name.
        var subject: String { topic.hasPrefix("bridge/") ? "request" : "feature" }
        /// Whether a success without a Response Topic is not answered.
        var isQuiet: Bool { traits.contains("latest") }
        /// Whether the bridge executes the command with any payload.
        var isStop: Bool { traits.contains("stop") }
    }

    private let entries: [Entry]

    init(file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let document = try JSON.Value(parsing: text.utf8)
        entries = try #require(document["x-topics"]?.array).compactMap { topic in
            guard topic["kind"] == "command", let address = topic["topic"]?.string,
                let answered = topic["answered"]?.string,
                let name = topic["schemas"]?.array?.first?.string?.split(separator: "/").last,
                let schema = document["$defs"]?[String(name)], let example = schema["examples"]?.array?.first
            else { return nil }
            return Entry(
                topic: address, example: example,
                traits: schema["x-traits"]?.array?.compactMap(\.string) ?? [], answered: answered)
        }
    }

    /// The commands whose topics start with a prefix, in the order of the contract.
    func commands(below topic: String) -> [Entry] { entries.filter { $0.topic.hasPrefix(topic) } }
}
