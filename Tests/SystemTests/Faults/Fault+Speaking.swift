import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

// Several bridges on one broker, and false claims on a device.
extension Fault {
    static let speaking: [Fault] = [
        Fault(
            .speaking, "a dead bridge claims the name of a configured robot",
            holds: "the robot keeps its name; drives and stops on its topics are carried out and answered",
            counted: "the bridge's start … the robot is `online` under its name", within: .seconds(8)
        ) { try deadClaim() },
        Fault(
            .speaking, "the broker restarts after a crash, with `online` of a bridge that has died",
            holds: "the other bridge publishes for the devices; commands sent in between are answered",
            counted: "the other bridge's start … its answer", within: .seconds(8)
        ) { try staleOnline() },
        Fault(
            .speaking,
            "forged claims on a robot at full speed: of an online bridge, then twenty of an offline bridge",
            holds:
                "it drives on, obeys its stop, and its bridge publishes `robot/connection` at most three "
                + "times in 10 s",
            counted: "the first claim … `robot/connection` of the bridge", within: .seconds(3)
        ) { try forgedClaims() },
        Fault(
            .speaking, "two bridges with a working link to one robot",
            holds: "the older link drives on; the younger is closed after its zeros, and publishes nothing",
            counted: "the younger link … it is closed", within: .seconds(8)
        ) { try crossingClaims() },
        Fault(
            .speaking, "a belt with a navigation moves away, navigates elsewhere, and returns",
            holds: "its old direction is not restored",
            counted: "it is in range again … `online`", within: .seconds(15)
        ) { try staleNavigation() },
    ]

    private static let ghost = "AA:00:00:00:00:01"
    private static let robotAddress = "C0:FF:EE:00:B0:01"
    private static let beltAddress = "C0:FF:EE:00:BE:01"
    private static let robotScenario = "devices: { robot: { address: \"\(robotAddress)\" } }"
    private static let beltScenario =
        "devices: { belt: { address: \"\(beltAddress)\", choices: { wait_signal: off } } }"
    private static let second = ["TACTILE_BRIDGE_BRIDGE_ID": "second"]

    /// Publishes the messages of a bridge that does not exist.
    private static func claim(
        _ bench: Bench, _ device: String, address: String, retain: Bool,
        since: String = "2000-01-01T00:00:00.000Z"
    ) throws {
        try bench.publish(
            "claim/\(address.lowercased().replacing(":", with: ""))",
            #"{"v":1,"bridge":"ghost","epoch":1000,"state":"linked","since":"\#(since)","adapter":"hci0","#
                + #""name":"\#(device)","family":"\#(device)","configured":true}"#, retain ? ["-r"] : [])
    }

    static func deadClaim() throws -> Duration {
        let bench = try Bench()
        try bench.publish("bridge/ghost/availability", "offline", ["-r"])
        try claim(bench, "robot", address: ghost, retain: true)
        let start = EventLoop.now
        let it = try RobotBench(
            on: bench, configuration: configured("robot", "robot"),
            scenario: robotScenario, power: false)
        let time = EventLoop.now - start
        try it.powerOn()
        try bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.robot.expectWheels(turning: true)
        #expect(try bench.ask("robot/stop/set", "")["status"] == "ok")
        try it.robot.expectWheels(turning: false)
        #expect(
            !bench.watcher.seen.contains {
                $0.topic.hasPrefix("robot/") && $0.topic.hasSuffix("/status") && $0.topic != "robot/status"
            },
            "it got no other name")
        return time
    }

    static func staleOnline() throws -> Duration {
        let bench = try Bench(
            brokerLines: ["autosave_interval 1", "autosave_on_changes true"], keepsSessions: true)
        try bench.startSimulator(scenario: beltScenario)
        let first = try bench.startBridge(configuration: configured("belt", "belt"))
        try bench.watcher.expect("belt/availability", "online")
        bench.broker.kill()
        first.end(with: SIGKILL)
        try bench.act("mute belt")
        try bench.simulator?.expect("its end") { $0["event"] == "link" && $0["connected"] == false }
        try bench.broker.start()
        #expect(try bench.watchAnew().expect("bridge/test/availability", fromStart: true).payload == "online")
        let claimed = try bench.watcher.expect("belt/connection", fromStart: true).json
        #expect(claimed["bridge"] == "test" && claimed["state"] == "connected", "\(claimed)")
        let start = EventLoop.now
        try bench.startBridge(configuration: configured("belt", "belt"), environment: second)
        try bench.watcher.expect("bridge/second/availability", "online")
        let answer = try bench.ask("belt/notify/set", "battery")
        #expect(answer["code"] == "device_offline", "\(answer)")
        let time = EventLoop.now - start
        try bench.watcher.expect("belt/connection", fromStart: true) { $0.json["bridge"] == "second" }
        return time
    }

    static func forgedClaims() throws -> Duration {
        let it = try RobotBench(scenario: robotScenario)
        try it.expectOpen()
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.robot.expectWheels(turning: true)
        let before = it.bench.watcher.seen.count
        // A claim of an online bridge makes the holder verify its connection: the bridge reads from the robot.
        try it.bench.publish("bridge/ghost/availability", "online")
        let start = EventLoop.now
        try claim(it.bench, "robot", address: robotAddress, retain: false)
        try it.bench.watcher.expect("robot/connection") { $0.json["bridge"] == "test" }
        let time = EventLoop.now - start
        try it.bench.publish("bridge/ghost/availability", "offline")
        for _ in 0..<20 { try claim(it.bench, "robot", address: ghost, retain: true) }
        #expect(try it.bench.ask("robot/stop/set", "")["status"] == "ok")
        try it.robot.expectWheels(turning: false)
        try it.powerOn()
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.robot.expectWheels(turning: true)
        let sayings = it.bench.watcher.seen.dropFirst(before).count {
            $0.topic == "robot/connection" && $0.json["bridge"] == "test"
        }
        #expect((1...3).contains(sayings), "\(sayings)")
        return time
    }

    static func crossingClaims() throws -> Duration {
        let it = try RobotBench(scenario: robotScenario)
        let other = try Bench(besides: it.bench)
        let robot = try other.startSimulator(scenario: "bluez: { host: 1 }\n" + robotScenario)
        try other.startBridge(environment: second)
        // To the bridges it is one robot with the same address, and each of them has a connection.
        try robot.expect("its link", within: .seconds(20)) {
            $0["event"] == "link" && $0["connected"] == true
        }
        let start = EventLoop.now
        try robot.expect("its end", within: .seconds(10)) {
            $0["event"] == "link" && $0["connected"] == false
        }
        let time = EventLoop.now - start
        try it.bench.watcher.expect("robot/connection", fromStart: true) { $0.json["bridge"] == "test" }
        try it.expectOpen()
        let watcher = try it.bench.watchAnew()
        #expect(try watcher.expect("robot/connection", fromStart: true).json["bridge"] == "test")
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.robot.expectWheels(turning: true)
        let answer = try it.bench.ask("robot/stop/set", "")
        #expect(answer["status"] == "ok", "\(answer)")
        try it.robot.expectWheels(turning: false)
        #expect(watcher.seen.allSatisfy { $0.json["bridge"] != "second" || !$0.topic.hasPrefix("robot/") })
        return time
    }

    static func staleNavigation() throws -> Duration {
        let bench = try Bench.withBelt(scenario: beltScenario)
        let other = try Bench(besides: bench)
        let there = try other.startSimulator(scenario: "bluez: { host: 1 }\n" + beltScenario)
        try other.act("mute belt")
        try other.startBridge(environment: second)
        let here = try #require(bench.simulator)
        let watcher = bench.watcher
        try bench.publish("belt/navigation/set", "90")
        try here.expectMotors([4])
        try bench.act("mute belt")
        try watcher.expect("belt/availability", "offline")
        try other.act("unmute belt")
        try watcher.expect("belt/connection", within: .seconds(20)) {
            $0.json["bridge"] == "second" && $0.json["state"] == "connected"
        }
        try bench.publish("belt/navigation/set", "180")
        try there.expectMotors([8])
        try other.act("mute belt")
        try watcher.expect("belt/availability", "offline")
        let time = try time {
            try bench.act("unmute belt")
            try watcher.expect("belt/connection", within: .seconds(20)) {
                $0.json["bridge"] == "test" && $0.json["state"] == "connected"
            }
        }
        // A write to guide the wearer east would come first: the belt confirms this command after everything
        // that its return caused.
        #expect(try bench.ask("belt/intensity/set", "45")["status"] == "ok")
        while let report = here.nextReport(within: .milliseconds(20)) {
            let isSignal = report["hex"]?.string?.hasPrefix("0201aaaa0000035a00") ?? false
            if isSignal { Issue.record("\(report)") }
        }
        try watcher.expect("belt/navigation", fromStart: true) { $0.json["direction"] == 180 }
        #expect(try bench.watchAnew().expect("belt/navigation", fromStart: true).json["direction"] != 90)
        return time
    }

    /// A configuration with one device, which gives it a fixed name.
    private static func configured(_ name: String, _ family: String) -> String {
        let address = family == "belt" ? beltAddress : robotAddress
        return """
            robot: { allow_weapon: true }
            devices:
              \(name): { family: \(family), address: "\(address)" }

            """
    }
}
