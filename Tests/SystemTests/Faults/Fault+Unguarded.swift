import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    /// No guardian runs, and none can be started.
    static let unguarded: [Fault] = [
        Fault(
            .robot, "no guardian can be started, and a robot connects",
            holds:
                "it accepts no power, drive or weapon-on, which its status, `info`, `health_check`, "
                + "`doctor` and the metrics report; nothing moves when the bridge is killed (SIGKILL)",
            counted: "a guardian can be started … the robot takes power", within: .seconds(12)
        ) { try unstartableGuardian() },
        Fault(
            .robot, "the guardian is killed at full speed and cannot be replaced",
            holds:
                "new motion is refused, and current motion stops with its lease; nothing moves when the "
                + "bridge is killed (SIGKILL)",
            counted: "the lease's end … the wheels stand", within: .milliseconds(500)
        ) { try unreplaceableGuardian() },
        Fault(
            .robot, "the bus refuses the guardian's connection",
            holds:
                "it counts as no guardian: no power, drive or weapon-on, which status, `info`, "
                + "`health_check` and `doctor` report; nothing moves when the bridge is killed (SIGKILL)",
            counted: "the bus accepts it … the robot takes power", within: .seconds(15)
        ) { try deafGuardian() },
    ]

    /// The commands that require a guardian.
    private static let motions = [
        ("robot/power/set", "on"), ("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":500}"#),
        ("robot/weapon/set", "on"),
    ]

    static func unstartableGuardian() throws -> Duration {
        let bench = try Bench()
        let port = try TestBroker.freePort()
        let bridge = try bench.startBridge(
            configuration: "robot: { allow_weapon: true }\nmetrics: { listen: \"127.0.0.1:\(port)\" }\n")
        var guardian = try bridge.expectGuardian()
        try bench.watcher.expect("bridge/test/info") { $0.json["guardian"] == true }
        try denyGuardian(bridge)
        guardian.signal(SIGKILL)
        try bench.watcher.expect("bridge/test/info") { $0.json["guardian"] == false }
        let robot = try bench.startSimulator(scenario: RobotBench.longLink("1min"))
        try bench.watcher.expect("robot/availability", "online", within: .seconds(15))
        try bench.watcher.expect("robot/status", within: .seconds(15), fromStart: true) {
            $0.json["connection"] == "connected" && $0.json["blocked_by"] == "guardian"
        }
        try expectRefusals(bench)
        try bench.expectOK("robot/power/set", "off")
        try bench.expectOK("robot/stop/set", "")
        let health = try bench.ask("bridge/test/request/health_check", "")
        #expect(health["healthy"] == false)
        #expect(
            health["problems"]?.description.contains("no guardian protects robot") == true, "\(health)")
        let doctor = try DoctorTests.run(bench, ["doctor", "--json"])
        #expect(doctor.lines.first { $0["check"] == "bridge" }?["verdict"] == "problem")
        let metrics = try LoopbackSocket.get("/metrics", port: port)
        #expect(metrics.contains("tactile_bridge_guardian_running 0\n"))

        let start = EventLoop.now
        try limit(try #require(bridge.pid), "nofile", "1024")
        guardian = try bridge.expectGuardian(within: .seconds(15))
        try bench.expectOpenRobot()
        try bench.expectOK("robot/power/set", "on")
        let time = EventLoop.now - start

        try denyGuardian(bridge)
        guardian.signal(SIGKILL)
        try bench.watcher.expect("robot/status") { $0.json["blocked_by"] == "guardian" }
        try expectRefusals(bench)
        try bench.endBridge(with: SIGKILL)
        expectNothingMoved(robot)
        return time
    }

    static func unreplaceableGuardian() throws -> Duration {
        let it = try RobotBench(scenario: RobotBench.longLink("1min"))
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        #expect(try it.bench.ask("robot/weapon/set", "on")["status"] == "ok")
        try it.robot.expectWeapon(true)
        try denyGuardian(bridge)
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        let end = EventLoop.now + .seconds(2)
        try it.robot.expectWheels(turning: true)
        guardian.signal(SIGKILL)
        try it.bench.watcher.expect("robot/status") { $0.json["blocked_by"] == "guardian" }
        try expectRefusals(it.bench)
        try it.robot.expectWheels(turning: false)
        let time = EventLoop.now - end
        #expect(time > .milliseconds(-200), "a lost guardian ends no lease")
        try expectRefusals(it.bench)
        try it.bench.endBridge(with: SIGKILL)
        it.expectStillness(for: .milliseconds(2500), "after a bridge without a guardian")
        return max(.zero, time)
    }

    static func deafGuardian() throws -> Duration {
        let it = try RobotBench(scenario: RobotBench.longLink("1min"))
        let bench = it.bench
        let bridge = try #require(bench.bridge)
        let first = try bridge.expectGuardian()
        try bench.bus.setFull(true)
        first.signal(SIGKILL)
        let second = try bridge.expectGuardian()
        try bridge.expectLine("the guardian cannot connect to D-Bus")
        try bench.watcher.expect("robot/status") { $0.json["blocked_by"] == "guardian" }
        #expect(second.isThere)
        try expectRefusals(bench)
        let health = try bench.ask("bridge/test/request/health_check", "")
        let problems = health["problems"]?.description ?? ""
        #expect(problems.contains("cannot connect to D-Bus"), "\(health)")
        let info = try bench.watchAnew().expect("bridge/test/info", fromStart: true) { _ in true }
        #expect(info.json["guardian"] == false)
        let doctor = try DoctorTests.run(bench, ["doctor", "--json"])
        #expect(doctor.lines.first { $0["check"] == "bridge" }?["verdict"] == "problem")

        let start = EventLoop.now
        try bench.bus.setFull(false)
        try bench.watcher.expect("bridge/test/info", within: .seconds(15)) { $0.json["guardian"] == true }
        try bench.expectOpenRobot()
        try bench.expectOK("robot/power/set", "on")
        let time = EventLoop.now - start

        try bench.bus.setFull(true)
        second.signal(SIGKILL)
        try bench.watcher.expect("robot/status") { $0.json["blocked_by"] == "guardian" }
        try expectRefusals(bench)
        try bench.endBridge(with: SIGKILL)
        it.expectStillness(for: .milliseconds(2500), "after a bridge whose guardian has no bus")
        return time
    }

    private static func expectRefusals(_ bench: Bench) throws {
        for (topic, payload) in motions {
            let answer = try bench.ask(topic, payload)
            #expect(
                answer["code"] == "wrong_mode" && answer["reason"] == "no_guardian", "\(topic): \(answer)")
        }
    }

    /// Prevents the bridge from opening further descriptors, as on a host that has reached its limit. Open
    /// descriptors stay open.
    private static func denyGuardian(_ bridge: Program) throws {
        let pid = try #require(bridge.pid)
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap {
            Int($0)
        }
        try limit(pid, "nofile", "\((0...).first { !used.contains($0) } ?? 0)")
    }

    /// Reads all reports of a robot since its start and for 2.5 s more: the wheels must never turn.
    private static func expectNothingMoved(_ robot: Program) {
        let end = EventLoop.now + .milliseconds(2500)
        let wheels = ["left_front", "right_front", "left_rear", "right_rear"]
        while let report = robot.nextReport(within: end - EventLoop.now) {
            let turns = report["event"] == "wheels" && wheels.contains { report[$0] != 0 }
            #expect(!turns && report["on"] != "true", "a robot without a guardian: \(report)")
        }
    }
}
