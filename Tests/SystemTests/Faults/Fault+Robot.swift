import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let robot: [Fault] = stops + way

    private static let stops: [Fault] = [
        Fault(
            .robot, "a joystick sends at 10 Hz after a stop",
            holds:
                "the robot stands while the stick is held, each drive is answered `stopped`; a new press "
                + "half a second after the release drives",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try joystick() },
        Fault(
            .robot, "a client sends at 1 Hz with leases of 2 s",
            holds: "the pauses between two commands do not count as a released stick",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try slowSender() },
        Fault(
            .robot, "a released joystick sends zeros at 10 Hz",
            holds: "each is answered `ok`, and the next press drives",
            counted: "stop … moving again", within: .seconds(3)
        ) { try zeros() },
        Fault(
            .robot, "power on and weapon on are repeated at 10 Hz after an emergency stop",
            holds: "no power and no weapon before a pause",
            counted: "emergency stop … standing wheels", within: .milliseconds(500)
        ) { try switches() },
        Fault(
            .robot, "one of two clients continues after a stop",
            holds: "the robot stands for the other client too, and its answer states why",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try twoSenders() },
        Fault(
            .robot, "a joystick continues after a gap of 0.6 s",
            holds:
                "with `hold` it moves nothing, whatever the pause; without `hold` the gap counts as a "
                + "release",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try gap() },
        Fault(
            .robot, "the weapon's client stops sending",
            holds: "the weapon's own lease of 500 ms stops it",
            counted: "command … weapon off", within: .milliseconds(620)
        ) { try weapon(isFrozen: false) },
        Fault(
            .robot, "the weapon's client stops sending, and the bridge is frozen",
            holds: "the guardian stops the weapon at the same deadline",
            counted: "command … weapon off", within: .milliseconds(900)
        ) { try weapon(isFrozen: true) },
    ]

    static let slow = #"{"direction":90,"speed":1,"duration_ms":500}"#

    // MARK: Stops

    private static func joystick() throws -> Duration {
        let it = try RobotBench()
        let stick = try Stick(it.bench.broker, "robot/drive/set", slow)
        try it.robot.expectWheels(turning: true)
        let start = EventLoop.now
        try it.bench.publish("all/stop/set", "")
        let time = try it.expectRest(
            since: start, within: .milliseconds(500), weapon: false, "stop against a joystick")
        it.expectStillness(for: .seconds(3), "while the stick is held")
        try it.bench.watcher.expect("robot/result") { $0.json["code"] == "stopped" }
        stick.release()
        try it.expectFreshStart("after the stick was let go")
        return time
    }

    private static func slowSender() throws -> Duration {
        let it = try RobotBench()
        let payload = #"{"direction":0,"speed":1,"duration_ms":2000}"#
        let stick = try Stick(it.bench.broker, "robot/drive/set", payload, every: 1)
        try it.robot.expectWheels(turning: true)
        let start = EventLoop.now
        try it.bench.publish("robot/stop/set", "")
        let time = try it.expectRest(
            since: start, within: .milliseconds(500), weapon: false, "stop against a slow sender")
        it.expectStillness(for: .seconds(4), "while it goes on")
        stick.release()
        try it.expectFreshStart("after it ended")
        return time
    }

    private static func zeros() throws -> Duration {
        let it = try RobotBench()
        try it.race()
        let start = EventLoop.now
        try it.bench.publish("robot/stop/set", "")
        try it.expectRest(since: start, within: .milliseconds(500), "stop")
        let stick = try Stick(it.bench.broker, "robot/drive/set", #"{"speed":0,"id":1}"#)
        defer { stick.release() }
        for _ in 0..<5 {
            let result = try it.bench.watcher.expect("robot/result") { $0.json["feature"] == "drive" }
            #expect(result.json["status"] == "ok", "\(result)")
        }
        try it.expectOpen()
        try it.bench.publish("robot/drive/set", slow)
        try it.robot.expectWheels(turning: true)
        return EventLoop.now - start
    }

    private static func switches() throws -> Duration {
        let it = try RobotBench()
        try it.race()
        let sticks = try ["power", "weapon"].map { try Stick(it.bench.broker, "robot/\($0)/set", "on") }
        let start = EventLoop.now
        try it.bench.publish("robot/emergency_stop/set", "")
        let time = try it.expectRest(since: start, within: .milliseconds(500), "emergency stop")
        it.expectStillness(for: .seconds(2), "while the switches are repeated")
        try it.bench.watcher.expect("robot/result") { $0.json["code"] == "stopped" }
        let late = try Watcher(it.bench.broker, isThere: true, topics: ["robot/status"])
        defer { late.stop() }
        try late.expect("robot/status", fromStart: true) {
            $0.json["power"] == false && $0.json["emergency_stop"] == true
        }
        for stick in sticks { stick.release() }
        try it.expectFreshStart("after they ended")
        return time
    }

    private static func twoSenders() throws -> Duration {
        let it = try RobotBench()
        let stuck = try Stick(it.bench.broker, "robot/drive/set", slow)
        try it.robot.expectWheels(turning: true)
        let start = EventLoop.now
        try it.bench.publish("robot/stop/set", "")
        let time = try it.expectRest(
            since: start, within: .milliseconds(500), weapon: false, "stop against two senders")
        it.expectStillness(for: .seconds(1), "while one goes on")
        let answer = try it.bench.ask("robot/drive/set", #"{"direction":0,"speed":0.5,"hold":12}"#)
        #expect(answer["code"] == "stopped", "\(answer)")
        #expect(answer["message"]?.string?.contains("keeps it stopped") == true, "\(answer)")
        it.expectStillness(for: .seconds(1), "while one goes on")
        stuck.release()
        try it.expectFreshStart("after it ended")
        return time
    }

    private static func gap() throws -> Duration {
        let it = try RobotBench()
        let held = #"{"direction":90,"speed":1,"duration_ms":500,"hold":4711}"#
        for hasHold in [true, false] {
            try it.expectOpen()
            try it.bench.publish("robot/drive/set", hasHold ? held : slow)
            try it.robot.expectWheels(turning: true)
            let start = EventLoop.now
            try it.bench.publish("robot/stop/set", "\(hasHold)")
            let time = try it.expectRest(
                since: start, within: .milliseconds(500), weapon: false, "stop before a gap")
            // The gap: no motion command arrives while the bridge waits half a second for the status.
            try it.expectOpen()
            let stick = try Stick(it.bench.broker, "robot/drive/set", hasHold ? held : slow)
            defer { stick.release() }
            guard hasHold else {
                try it.robot.expectWheels(turning: true)
                return time
            }
            it.expectStillness(for: .seconds(2), "an old press")
        }
        throw Missing(what: "the second round", seen: [])
    }

    // MARK: The weapon

    private static func weapon(isFrozen: Bool) throws -> Duration {
        let it = try RobotBench()
        let start = EventLoop.now
        try it.bench.publish("robot/weapon/set", #"{"weapon":true,"duration_ms":500}"#)
        try it.robot.expectWeapon(true)
        if isFrozen { it.bench.bridge?.send(SIGSTOP) }
        defer { if isFrozen { it.bench.bridge?.send(SIGCONT) } }
        try it.robot.expectWeapon(false)
        return EventLoop.now - start
    }
}

/// A joystick that is held: its own program publishes the same command at a steady pace.
final class Stick {
    private let process: TestProcess

    init(
        _ broker: TestBroker, _ topic: String, _ payload: String, every seconds: Double = 0.1, qos: Int = 0
    ) throws {
        process = try TestProcess(
            ["mosquitto_pub"] + broker.arguments + ["-t", topic, "-q", "\(qos)", "-m", payload]
                + ["--repeat", "1000", "--repeat-delay", "\(seconds)"])
    }

    /// Releases the stick.
    func release() { process.end(with: SIGKILL) }
}
