import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("A fleet of two hosts", .serialized)
struct FleetTests {
    @Test("An unreachable broker is named as the user typed it")
    func noBroker() throws {
        let program = try Program(
            "tactile-bridge", ["fleet", "ls"],
            environment: ["TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "1"])
        let line = try #require(program.nextLine(within: .seconds(30)))
        #expect(line.hasPrefix("127.0.0.1:1: connection refused"), "\(line)")
    }

    @Test("The belt of a drained host moves to the other host, keeps its name, and may return after undrain")
    func drained() throws {
        let it = try AirBench("belt", configuration: "bridge: { zone: hall }\n")
        try it.air.type("move belt B -60")
        let rows = try it.fleet(["ls", "--json"]).lines
        #expect(rows.map { $0["bridge"] } == ["a", "b"] && rows.allSatisfy { $0["zone"] == "hall" })

        let start = EventLoop.now
        let drained = try it.fleet(["drain", "a"])
        #expect(
            drained.status == 0 && drained.text.contains("a is draining; disconnected: belt"),
            "\(drained.text)")
        try it.expectHolder("belt", .b, fromStart: true)
        let time = EventLoop.now - start
        print("drain, from the start of the command to the other host: \(time)")
        // BlueZ needs 2 s of this to close the connection; the start of the command is included.
        #expect(time < .seconds(4))
        try it.bench.expectOK("belt/intensity/set", "55")
        #expect(try it.fleet(["ls", "--json"]).lines.map { $0["state"] } == ["draining", "online"])
        #expect(try it.fleet(["check"]).text.contains("bridge a: draining"))
        let refused = try it.bench.ask("bridge/a/request/permit_join", "60")
        #expect(refused["code"] == "not_supported", "\(refused)")

        #expect(try it.fleet(["undrain", "a"]).text.contains("a connects devices again"))
        try it.roam("belt", to: .a)
        let check = try it.fleet(["check"])
        #expect(check.status == 0 && check.text.contains("No differences."), "\(check.text)")
    }

    @Test("kill -9 of a bridge with an idle belt: the other host takes it over within seconds")
    func killed() throws {
        let it = try AirBench("belt")
        try it.air.type("move belt B -60")
        let start = EventLoop.now
        try it.bridge(.a).sendAlone(SIGKILL)
        try it.expectHolder("belt", .b, within: .seconds(15))
        let time = EventLoop.now - start
        print("kill -9, a belt at rest, to the other host: \(time)")
        #expect(time < .seconds(10))
    }

    @Test("A robot that drives is stopped and without power before its host releases it")
    func robot() throws {
        let it = try AirBench("robot", configuration: "robot: { power_on_connect: true }\n", permits: true)
        try it.bench.watcher.expect("robot/status", fromStart: true) { $0.json["power"] == true }
        try it.bench.expectOpenRobot()
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.air.expectWheels(turning: true)
        let answer = try it.bench.ask("bridge/a/request/drain", "")
        #expect(answer["status"] == "ok" && answer["devices"] == ["robot"], "\(answer)")
        try it.air.expectWheels(turning: false)
        let state = try it.bench.watcher.expect("robot/connection", fromStart: true) {
            $0.json["reason_code"] == "draining"
        }
        #expect(state.json["state"] == "disconnected")
    }

    @Test("apply sets names and groups on every bridge, and a pruned device is disconnected")
    func applied() throws {
        let it = try AirBench("belt")
        let watcher = it.bench.watcher
        let entry = try watcher.expect("roster/c0ffee00be01", fromStart: true) { !$0.payload.isEmpty }
        #expect(entry.json["name"] == "belt" && entry.json["by"] == "a")

        let file = try it.bench.folder.write(
            """
            devices:
              hall/left: { family: belt, address: "C0:FF:EE:00:BE:01", preferred: [a, b] }
            groups:
              wearers: [hall/left]
            """, to: "fleet.yaml")
        let dry = try it.fleet(["apply", file, "--dry-run"])
        #expect(dry.text.contains("name: \"belt\" -> \"hall/left\"") && dry.text.contains("Nothing was"))
        #expect(dry.status == 1)
        #expect(try it.fleet(["check", file]).status == 1)
        #expect(try it.fleet(["apply", file]).status == 0)
        try it.expectHolder("hall/left", .a, fromStart: true)
        try it.bench.expectOK("wearers/intensity/set", "55")
        // The other host applies this name.
        try it.roam("belt", as: "hall/left", to: .b)
        try it.bench.expectOK("hall/left/intensity/set", "45")
        let check = try it.fleet(["check", file])
        #expect(check.status == 0, "\(check.text)")
        #expect(try it.fleet(["apply", file]).text.contains("The roster is already up to date."))
        let exported = try it.bench.folder.write(try it.fleet(["export"]).text, to: "exported.yaml")
        for same in [file, exported] {
            #expect(try it.fleet(["apply", same, "--prune", "--dry-run"]).status == 0, "\(same)")
        }
        let devices = try it.fleet(["devices", "--json"]).lines
        #expect(devices.map { $0["name"] } == ["hall/left"] && devices.first?["bridge"] == "b", "\(devices)")

        // Out of range of both hosts, so that the device cannot join again.
        try it.air.type("move belt A off B off")
        let empty = try it.bench.folder.write("devices: {}\n", to: "empty.yaml")
        #expect(try it.fleet(["apply", empty, "--prune"]).text.contains("removed  hall/left"))
        try watcher.expect("hall/left/availability") { $0.payload.isEmpty }
        #expect(try it.bench.ask("bridge/b/request/devices", "")["devices"] == [])
    }

    @Test("An invalid file is reported with line and key, and nothing is written")
    func wrong() throws {
        let bench = try Bench()
        let file = try bench.folder.write("devices:\n  belt: { family: bolt }\n", to: "fleet.yaml")
        let program = try Program(
            "tactile-bridge", ["fleet", "apply", file],
            environment: [
                "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
            ])
        var text = ""
        while let line = program.nextLine(within: .seconds(30)) { text += line + "\n" }
        #expect(program.wait() != 0)
        #expect(text.contains("fleet.yaml:2:") && text.contains("devices.belt.family"), "\(text)")
    }
}

extension AirBench {
    /// Runs a command of the fleet; returns its output and its exit status.
    func fleet(_ arguments: [String]) throws -> (text: String, lines: [JSON.Value], status: Int32) {
        let program = try Program(
            "tactile-bridge", ["fleet"] + arguments,
            environment: [
                "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
            ])
        var (text, lines) = ("", [JSON.Value]())
        while let line = program.nextLine(within: .seconds(30)) {
            text += line + "\n"
            if let value = try? JSON.Value(parsing: line.utf8) { lines.append(value) }
        }
        return (text, lines, program.wait())
    }

    /// Moves a device whose name differs from its kind out of range of one host and into range of the other.
    func roam(_ device: String, as name: String, to host: Host) throws {
        try air.type("move \(device) \(host.name) -50 \(host.other.name) off")
        try expectHolder(name, host)
    }
}
