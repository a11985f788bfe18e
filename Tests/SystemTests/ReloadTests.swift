import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Reload of the configuration", .serialized)
struct ReloadTests {
    private static let scenario = """
        devices:
          one: { kind: belt, address: "C0:FF:EE:00:00:01" }
          two: { kind: belt, address: "C0:FF:EE:00:00:02" }
          three: { kind: belt, address: "C0:FF:EE:00:00:03" }
          four: { kind: belt, address: "C0:FF:EE:00:00:04" }
        """

    /// A configuration of belts by name, each with the last byte of its address.
    private static func configuration(_ belts: KeyValuePairs<String, Int>, _ more: String = "") -> String {
        let lines = belts.map { "  \($0.key): { family: belt, address: \"C0:FF:EE:00:00:0\($0.value)\" }\n" }
        return "devices:\n" + lines.joined() + more
    }

    private static let onlyConfigured = ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"]

    /// The number of directions that the client sends, ten a second.
    private static let updates = 100

    /// A client that sends ten directions a second, each with its number.
    private func navigate(_ bench: Bench, _ device: String) throws -> TestProcess {
        let script = """
            i=0; while [ $i -lt \(Self.updates) ]; do i=$((i+1)); echo \
            "{\\"direction\\":$i,\\"start_if_stopped\\":true,\\"id\\":$i}"; sleep 0.1; done \
            | mosquitto_pub \(bench.broker.arguments.joined(separator: " ")) -q 1 -l -t \(device)/navigation/set
            """
        return try TestProcess(["sh", "-c", script])
    }

    @Test(
        "A reload changes devices and the log level; a guided belt loses no direction, and only the removed one disconnects"
    )
    func live() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: Self.scenario)
        let first = Self.configuration(["led": 1, "gone": 2, "hall/old": 3], "log: { level: info }\n")
        let bridge = try bench.startBridge(
            configuration: first, environment: Self.onlyConfigured, logLevel: nil)
        try bench.watcher.expectAll(
            ["led/availability": "online", "gone/availability": "online", "hall/old/availability": "online"],
            within: .seconds(20))
        let since = try #require(bench.watcher.seen.last { $0.topic == "led/connection" }).json["since"]

        let navigator = try navigate(bench, "led")
        defer { navigator.end(with: SIGKILL) }
        try bench.watcher.expect("led/result") { $0.json["id"] == 20 }
        try bench.configure(
            Self.configuration(["led": 1, "hall/new": 3, "come": 4], "log: { level: debug }\n"))
        let answer = try bench.ask("bridge/test/request/reload", "")
        #expect(answer["status"] == "ok")
        #expect(answer["added"] == ["come"])
        #expect(answer["removed"] == ["gone"])
        #expect(answer["renamed"] == [["device": "hall/old", "to": "hall/new"]])
        #expect(answer["changed"] == [])
        #expect(answer["settings"] == ["log.level"])
        #expect(answer["restart_needed"] == [])
        print("reloaded in \(answer["elapsed_ms"] ?? .null) ms")
        try bridge.expectLine(" debug    ")

        // The belt received all directions including the last.
        try bench.watcher.expect("led/result", within: .seconds(30)) {
            $0.json["id"] == .integer(Self.updates)
        }
        let results = bench.watcher.seen.filter { $0.topic == "led/result" }.map(\.json)
        #expect(results.compactMap { $0["id"]?.integer }.sorted() == Array(1...Self.updates))
        #expect(results.allSatisfy { $0["status"] == "ok" && $0["kept"] == nil })
        print("\(results.count) directions, \(results.count { $0["superseded"] == true }) superseded")
        let states = bench.watcher.seen.filter { $0.topic == "led/connection" }.map(\.json)
        #expect(states.last?["since"] == since)
        #expect(bench.watcher.seen.contains { $0.topic == "come/availability" && $0.payload == "online" })

        // The simulator's reports of lost connections, up to the newest direction.
        var lost: [String] = []
        try simulator.expect("the last direction", within: .seconds(10)) { line in
            if line["event"] == "link", line["connected"] == false {
                lost.append(line["device"]?.string ?? "")
            }
            return line["event"] == "write" && line["device"] == "one"
                && line["hex"]?.string?.contains(Self.hexadecimal(of: Self.updates)) == true
        }
        #expect(lost == ["two"])

        let watcher = try bench.watchAnew()
        let left = watcher.seen.filter { message in
            message.isRetained && (message.topic.hasPrefix("gone/") || message.topic.hasPrefix("hall/old/"))
        }
        #expect(left.map(\.topic) == [])
        #expect(watcher.seen.contains { $0.topic == "hall/new/availability" && $0.payload == "online" })
    }

    /// A direction as two bytes of a belt's packet, the low byte first.
    private static func hexadecimal(of direction: Int) -> String {
        let digits = String(direction % 256, radix: 16)
        return (digits.count < 2 ? "0" : "") + digits + (direction < 256 ? "00" : "01")
    }

    @Test("An invalid file changes nothing; answer and log name file, line and key")
    func bad() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        let bridge = try bench.startBridge(
            configuration: Self.configuration(["a": 1]), environment: Self.onlyConfigured)
        try bench.watcher.expect("a/availability", "online")
        let file = try bench.configure(
            "devices:\n  b: { family: belt, address: \"C0:FF:EE:00:00:02\" }\nlog: { levle: debug }\n")
        let mistake = "\(file):3:8: log.levle: not known here; did you mean level?"
        let answer = try bench.ask("bridge/test/request/reload", "")
        #expect(answer["code"] == "invalid_value")
        #expect(answer["message"]?.string?.contains(mistake) == true)
        try bridge.expectLine(mistake)
        bridge.hangUp()
        try bridge.expectLine("nothing was changed")
        #expect(try bench.ask("a/intensity/set", "60")["status"] == "ok")
        let devices = try bench.ask("bridge/test/request/devices", "")["devices"]?.array
        #expect(devices?.map { $0["name"] } == ["a"])

        try bench.configure(Self.configuration(["b": 1]))
        bridge.hangUp()
        try bench.watcher.expect("bridge/test/event") { message in
            message.json["event"] == "config_reloaded"
                && message.json["renamed"] == [["device": "a", "to": "b"]]
        }
        #expect(try bench.ask("b/intensity/set", "70")["status"] == "ok")
    }

    @Test(
        "A robot drives on when a reload does not concern it or is invalid, and stops when its settings change"
    )
    func robot() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator()
        let bridge = try bench.startBridge(configuration: "robot: { max_lease_ms: 5000 }\n")
        try bench.watcher.expect("robot/availability", "online")
        try bench.expectOpenRobot()
        #expect(try bench.ask("robot/power/set", "on")["status"] == "ok")
        let drive = #"{"direction":0,"speed":1,"duration_ms":5000}"#

        try bench.publish("robot/drive/set", drive)
        try simulator.expect("motion") { $0["event"] == "wheels" && $0["left_front"] != 0 }
        try bench.configure("robot: { max_lease_ms: 5000 }\nbridge: { stats_interval_s: 7 }\n")
        #expect(
            try bench.ask("bridge/test/request/reload", "")["settings"] == ["bridge.stats_interval_s"])
        let lease = try bench.watcher.expect("robot/status", within: .seconds(10)) {
            $0.json["stopped_by"] != .null
        }
        #expect(lease.json["stopped_by"] == "lease")
        try simulator.expect("the end of the lease") { $0["event"] == "wheels" && $0["left_front"] == 0 }

        try bench.publish("robot/drive/set", drive)
        try simulator.expect("motion") { $0["event"] == "wheels" && $0["left_front"] != 0 }
        try bench.configure("robot: { max_lease_ms: 4000 }\n")
        let start = EventLoop.now
        bridge.hangUp()
        try simulator.expect("still wheels") { line in
            line["event"] == "wheels" && line["left_front"] == 0 && line["right_rear"] == 0
        }
        print("reload: the robot stands after \(EventLoop.now - start)")
        #expect(EventLoop.now - start < .seconds(1))
        try bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "reload" }
        try bench.watcher.expect("robot/availability", "online", within: .seconds(20))

        try bench.configure("robot: { max_lease_ms: 1 }\n")
        try bench.expectOpenRobot()
        #expect(try bench.ask("robot/power/set", "on")["status"] == "ok")
        try bench.publish("robot/drive/set", #"{"direction":0,"speed":1,"duration_ms":2000}"#)
        try simulator.expect("motion") { $0["event"] == "wheels" && $0["left_front"] != 0 }
        let links = bench.watcher.seen.count { $0.topic == "robot/connection" }
        #expect(try bench.ask("bridge/test/request/reload", "")["code"] == "invalid_value")
        try bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "lease" }
        #expect(bench.watcher.seen.count { $0.topic == "robot/connection" } == links)
    }
}
