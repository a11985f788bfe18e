import EventLoop
import HostTesting
import JSON
import Testing

/// A bench with one robot, its power on.
struct RobotBench {
    static let fullSpeed = #"{"direction":90,"speed":1,"duration_ms":2000}"#

    /// A scenario with a robot that BlueZ disconnects only after a time.
    static func longLink(_ disconnectTime: String) -> String {
        "bluez: { disconnect_time: \(disconnectTime) }\ndevices: { robot: }"
    }

    let bench: Bench
    let robot: Program

    /// Starts all programs and switches the robot's power on.
    init(
        on bench: Bench? = nil, configuration: String = "robot: { allow_weapon: true }\n",
        scenario: String = "devices: { robot: }", environment: [String: String] = [:], power: Bool = true
    ) throws {
        self.bench = try bench ?? Bench()
        robot = try self.bench.startSimulator(scenario: scenario)
        try self.bench.startBridge(configuration: configuration, environment: environment)
        try self.bench.watcher.expect("robot/availability", "online")
        if power { try powerOn() }
    }

    func expectOpen() throws { try bench.expectOpenRobot() }

    func powerOn() throws {
        try expectOpen()
        let answer = try bench.ask("robot/power/set", "on")
        #expect(answer["status"] == "ok", "\(answer)")
    }

    /// Drives at full speed with the weapon on, for the longest lease of one command.
    func race() throws {
        #expect(try bench.ask("robot/weapon/set", "on")["status"] == "ok")
        try robot.expectWeapon(true)
        try bench.publish("robot/drive/set", Self.fullSpeed)
        try robot.expectWheels(turning: true)
    }

    /// Waits until the wheels stand still and the weapon is off, if it was on; returns how long that took.
    @discardableResult
    func expectRest(
        since start: Duration, within limit: Duration, weapon hasWeapon: Bool = true, _ what: String
    ) throws -> Duration {
        var (turns, weapon) = (true, hasWeapon)
        var time = Duration.zero
        let end = start + .seconds(10)
        while turns || weapon, let report = robot.nextReport(within: end - EventLoop.now) {
            switch report["event"]?.string {
            case "wheels":
                turns = ["left_front", "right_front", "left_rear", "right_rear"].contains { report[$0] != 0 }
                time = EventLoop.now - start
            case "weapon": weapon = report["on"] == "true"
            default: break
            }
        }
        if turns || weapon { throw Missing(what: "\(what): rest", seen: []) }
        print("\(what): stands after \(time)")
        #expect(time < limit * (TestProcess.isSanitized ? 4 : 1), "\(what)")
        return time
    }

    /// Reads reports for a time in which nothing may move.
    func expectStillness(for time: Duration, _ what: String) {
        let end = EventLoop.now + time
        while let report = robot.nextReport(within: end - EventLoop.now) {
            guard report["event"] == "wheels" || report["event"] == "weapon" else { continue }
            Issue.record("\(what): \(report)")
        }
    }

    /// Repeats a request until the bridge no longer rejects it as possibly outdated or as stopped. A bridge
    /// that was late does so until it has reconnected and motion commands have paused.
    func askWhenCaughtUp(_ topic: String, _ payload: String) throws -> JSON.Value {
        let end = EventLoop.now + .seconds(20)
        while true {
            try expectOpen()
            let answer = try bench.ask(topic, payload)
            guard answer["code"] == "expired" || answer["code"] == "stopped", EventLoop.now < end else {
                return answer
            }
        }
    }

    /// Waits until the robot is online and drives it: old commands must move nothing, and new ones must.
    func expectFreshStart(_ what: String) throws {
        expectStillness(for: .seconds(1), what)
        try powerOn()
        expectStillness(for: .seconds(1), "\(what), with power")
        try bench.publish("robot/drive/set", #"{"direction":0,"speed":0.5}"#)
        try robot.expectWheels(turning: true)
        try robot.expectWheels(turning: false)
    }
}

extension Bench {
    /// Waits until the status shows nothing that blocks motion, as a driver does.
    func expectOpenRobot() throws { try Watcher.expectOpenRobot(broker) }
}

extension Watcher {
    /// Waits until the status shows nothing that blocks the robot's motion, on any broker.
    static func expectOpenRobot(_ broker: TestBroker, within limit: Duration = .seconds(20)) throws {
        let watcher = try Watcher(broker, isThere: true, topics: ["robot/status"])
        defer { watcher.stop() }
        try watcher.expect("robot/status", within: limit, fromStart: true) {
            $0.json["connection"] == "connected" && $0.json["blocked_by"] == .null
        }
    }
}
