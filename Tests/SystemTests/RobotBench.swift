import BridgeTesting
import EventLoop
import JSON
import Testing

/// A bench with one robot, its power on.
struct RobotBench {
    static let fullSpeed = #"{"direction":90,"speed":1,"duration_ms":2000}"#

    /// A robot whose link BlueZ keeps for a minute after the program that made it has died, as it sometimes does.
    static let longLink = longLink("2s")

    /// The same, and closes a link only after a time.
    static func longLink(_ disconnectTime: String) -> String {
        "bluez: { dead_client_time: 1min, disconnect_time: \(disconnectTime) }\ndevices: { robot: }"
    }

    let bench: Bench
    let robot: Program

    /// Starts everything and switches the robot's power on.
    init(
        configuration: String = "robot: { allow_weapon: true }\n", scenario: String = "devices: { robot: }"
    ) throws {
        bench = try Bench()
        robot = try bench.startSimulator(scenario: scenario)
        try bench.startBridge(configuration: configuration)
        try bench.watcher.expect("robot/availability", "online")
        try powerOn()
    }

    func powerOn() throws {
        let answer = try bench.ask("robot/power/set", "on")
        #expect(answer["status"] == "ok", "\(answer)")
    }

    /// Drives at full speed with the weapon on, for as long as one command can hold.
    func race() throws {
        #expect(try bench.ask("robot/weapon/set", "on")["status"] == "ok")
        try robot.expectWeapon(true)
        try bench.publish("robot/drive/set", Self.fullSpeed)
        try robot.expectWheels(turning: true)
    }

    /// Waits until the wheels stand and the weapon is off; says how long that took.
    @discardableResult
    func expectRest(since start: Duration, within limit: Duration, _ what: String) throws -> Duration {
        var (turns, weapon) = (true, true)
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

    /// Reads on for a while, in which nothing may move.
    func expectStillness(for time: Duration, _ what: String) {
        let end = EventLoop.now + time
        while let report = robot.nextReport(within: end - EventLoop.now) {
            guard report["event"] == "wheels" || report["event"] == "weapon" else { continue }
            Issue.record("\(what): \(report)")
        }
    }

    /// Asks for something until the answer is not that what arrives may be old: a bridge that was late says that until
    /// it is connected anew, which takes long under a sanitizer.
    func askWhenCaughtUp(_ topic: String, _ payload: String) throws -> JSON.Value {
        let end = EventLoop.now + .seconds(20)
        while true {
            let answer = try bench.ask(topic, payload)
            guard answer["code"] == "expired", EventLoop.now < end else { return answer }
        }
    }

    /// Waits until the robot is there again and drives it: nothing old may move, and new commands must.
    func expectFreshStart(_ what: String) throws {
        expectStillness(for: .seconds(1), what)
        try powerOn()
        expectStillness(for: .seconds(1), "\(what), with power")
        try bench.publish("robot/drive/set", #"{"direction":0,"speed":0.5}"#)
        try robot.expectWheels(turning: true)
        try robot.expectWheels(turning: false)
    }
}
