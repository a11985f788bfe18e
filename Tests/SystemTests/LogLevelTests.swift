import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The log of devices, the broker and commands", .serialized)
struct LogLevelTests {
    private static let tap = """
        devices:
          tap: { bonded: true, address: "D7:A9:E0:8C:17:6E" }
        """
    private static let belt = "devices: { belt: { choices: { wait_signal: off } } }"

    /// All lines that a bridge wrote until its clean exit, as objects.
    private func lines(endOf bench: Bench) throws -> [JSON.Value] {
        let bridge = try #require(bench.bridge)
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        var lines: [JSON.Value] = []
        while let line = bridge.nextLine(within: .seconds(1)) {
            lines.append(try JSON.Value(parsing: line.utf8))
        }
        return lines
    }

    private static func has(_ line: JSON.Value, _ level: String, _ message: String, _ parts: [String]) -> Bool
    {
        let text = "\(line)"
        return line["level"]?.string == level && line["message"]?.string == message
            && parts.allSatisfy(text.contains)
    }

    private static let json = ["TACTILE_BRIDGE_LOG_FORMAT": "json"]

    @Test("debug logs each command with its answer, states and link events, but no streams or values")
    func debug() throws {
        let bench = try Bench.withBelt(
            scenario: Self.belt, configuration: "belt: { orientation_period_ms: 50 }\n",
            environment: Self.json)
        try bench.expectOK("belt/intensity/set", "60")
        try bench.publish("belt/intensity/set", "7000")
        try bench.watcher.expect("belt/result") { $0.json["code"] == "out_of_range" }
        try bench.act("belt turn 90")
        try bench.watcher.expect("belt/orientation")
        let lines = try lines(endOf: bench)
        func expect(_ level: String, _ message: String, _ parts: String...) {
            #expect(
                lines.contains { Self.has($0, level, message, parts) }, "\(level) \(message) \(parts)")
        }
        expect("debug", "command succeeded", "intensity", "\"ok", "60", "belt")
        expect("info", "command failed", "intensity", "out_of_range", "belt")
        expect("debug", "message published", "belt/intensity")
        for state in ["connecting", "preparing", "connected"] {
            expect("debug", "connection state changed", state, "belt")
        }
        #expect(!lines.contains { $0["level"] == "trace" })
        #expect(!lines.contains { "\($0)".contains("belt/orientation") })
    }

    @Test(
        "The log shows a TAP's typed text only at trace with log.typing, and reports once that it does",
        arguments: [("debug", true), ("trace", true), ("trace", false)])
    func taps(_ level: String, isTypingLogged: Bool) throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.tap)
        try bench.startBridge(
            configuration: "log: { typing: \(isTypingLogged) }\n", environment: Self.json, logLevel: level)
        try bench.watcher.expectAll(
            ["tap/8c176e/availability": "online", "tap/8c176e/input_mode": "controller"],
            within: .seconds(15))
        try bench.act("tap 21")
        let tapped = try bench.watcher.expect("tap/8c176e/tapped")
        #expect(tapped.json["combination"] == 21)
        let isTrace = level == "trace"
        let lines = try lines(endOf: bench)
        let typed = lines.filter { Self.has($0, "trace", "message published", ["tap/8c176e/tapped"]) }
        #expect(typed.count == (isTrace ? 1 : 0))
        let isTypingShown = isTrace && isTypingLogged
        #expect(lines.contains { "\($0)".contains("combination") } == isTypingShown)
        #expect(lines.count { "\($0)".contains("everything typed with a TAP") } == (isTypingShown ? 1 : 0))
        for message in ["write", "value", "subscribe", "notification"] {
            let found = lines.filter { Self.has($0, "trace", message, ["tap/8c176e"]) }
            #expect(found.isEmpty != isTrace, "\(level) \(message)")
            #expect(found.allSatisfy { "\($0)".contains("\"characteristic\"") })
        }
        let values = lines.filter { Self.has($0, "trace", "notification", ["c3ff0005"]) }
        #expect(values.isEmpty != isTrace)
        #expect(
            values.allSatisfy { "\($0)".contains("\"value\":\"\(isTypingLogged ? "15" : "…")") }, "\(values)")
    }

    @Test("log.only limits the log to kinds of lines, and log_level changes the level of one kind")
    func kinds() throws {
        let bench = try Bench.withBelt(
            scenario: Self.belt, configuration: "log: { only: [commands] }\n", environment: Self.json)
        try bench.expectOK("belt/intensity/set", "60")
        try bench.expectOK("bridge/test/request/log_level", #"{"level":"debug","subsystem":"topics"}"#)
        try bench.expectOK("belt/intensity/set", "70")
        try bench.watcher.expect("belt/intensity", "70")
        let lines = try lines(endOf: bench)
        let messages = Set(lines.compactMap { $0["message"]?.string })
        #expect(messages.isSuperset(of: ["command succeeded", "message published"]), "\(messages)")
        let others = ["the device is online", "connection state changed", "the bridge is starting"]
        #expect(messages.isDisjoint(with: others), "\(messages)")
        let said = lines.filter { Self.has($0, "debug", "message published", ["belt/intensity"]) }
        #expect(said.allSatisfy { !"\($0)".contains("\"payload\":\"60\"") })
    }

    @Test("bridge/<bridge>/log is off by default, streams after a reload, and contains no values")
    func stream() throws {
        let bench = try Bench.withBelt(scenario: Self.belt, environment: Self.json)
        try bench.publish("belt/intensity/set", "7000")
        try bench.watcher.expect("belt/result")
        #expect(!bench.watcher.seen.contains { $0.topic == "bridge/test/log" })
        try bench.configure("log: { mqtt: info }\n")
        try bench.expectOK("bridge/test/request/reload", "")
        try bench.publish("belt/intensity/set", "8000")
        let line = try bench.watcher.expect("bridge/test/log") { $0.json["message"] == "command failed" }
        #expect(line.json["level"] == "info" && line.json["device"] == "belt", "\(line)")
        #expect(line.json["details"]?["feature"] == "intensity")
        let stored = try bench.watchAnew()
        #expect(!stored.seen.contains { $0.topic == "bridge/test/log" }, "a stream is not retained")
        try bench.configure("")
        try bench.expectOK("bridge/test/request/reload", "")
        let silent = try bench.watchAnew()
        try bench.publish("belt/intensity/set", "9000")
        try silent.expect("belt/result")
        try bench.expectOK("belt/intensity/set", "60")
        #expect(!silent.seen.contains { $0.topic == "bridge/test/log" && $0.payload.contains("9000") })
    }

    @Test("A missing broker is logged with the reason and a command to run, a wrong password as such")
    func broker() throws {
        let absent = try Bench(brokerRuns: false)
        let lonely = try absent.startBridge(environment: Self.json)
        let line = try lonely.expectLine("no connection to the broker", within: .seconds(10))
        #expect(line.contains("connection refused") && line.contains("run tactile-bridge doctor"))
        #expect(line.contains("\"warning\""))

        let locked = try Bench(users: ["bridge": "right"], brokerLines: ["allow_anonymous true"])
        let bridge = try locked.startBridge(
            environment: Self.json.merging([
                "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "wrong-secret",
            ]) { $1 })
        let refusal = try bridge.expectLine("no connection to the broker", within: .seconds(10))
        #expect(refusal.contains("wrong password for the user"), "\(refusal)")
        #expect(refusal.contains("run tactile-bridge doctor") && !refusal.contains("wrong-secret"))
    }
}
