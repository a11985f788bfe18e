import BridgeTesting
import EventLoop
import Glibc
import JSON
import Testing

extension Fault {
    static let robot: [Fault] = [
        Fault(
            .robot, "a joystick goes on at 10 Hz after a stop",
            holds:
                "the robot stands for as long as the stick is held, each drive is answered `stopped`; a new press "
                + "half a second after it was let go drives", counted: "stop … standing wheels",
            within: .milliseconds(500)
        ) { try joystick() },
        Fault(
            .robot, "a sender goes on at 1 Hz, with leases of 2 s",
            holds: "the pauses between two commands are not taken for a stick that was let go",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try slowSender() },
        Fault(
            .robot, "a joystick at rest says zero at 10 Hz",
            holds: "each is answered `ok`, and the next press drives", counted: "stop … moving again",
            within: .seconds(3)
        ) { try zeros() },
        Fault(
            .robot, "power on and weapon on are repeated at 10 Hz after an emergency stop",
            holds: "no power, no weapon, until they pause", counted: "emergency stop … standing wheels",
            within: .milliseconds(500)
        ) { try switches() },
        Fault(
            .robot, "of two senders one goes on after a stop",
            holds: "it keeps the robot standing for the other one too, whose answer says so",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try twoSenders() },
        Fault(
            .robot, "a joystick goes on after a gap of 0.6 s",
            holds: "with `hold` it moves nothing, whatever the pause; without it the gap counts as let go",
            counted: "stop … standing wheels", within: .milliseconds(500)
        ) { try gap() },
        Fault(
            .robot, "the weapon's sender is gone", holds: "the weapon's own lease of 500 ms ends it",
            counted: "command … weapon off", within: .milliseconds(620)
        ) { try weapon(isFrozen: false) },
        Fault(
            .robot, "the weapon's sender is gone, and the bridge is frozen",
            holds: "the guardian ends it at the same deadline", counted: "command … weapon off",
            within: .milliseconds(900)
        ) { try weapon(isFrozen: true) },
        Fault(
            .robot, "the network from the broker stands still for 8 s",
            holds:
                "the robot stands, `stopped_by` `path_lost`, loses its power after 5 s, and obeys nothing that was "
                + "sent meanwhile", counted: "standstill … standing wheels", within: .milliseconds(1200)
        ) { try stalled(qos: 0) },
        Fault(
            .robot, "a backlog of drives at QoS 1 behind a network that stood still",
            holds: "none of it moves the robot", counted: "standstill … standing wheels",
            within: .milliseconds(1200)
        ) { try stalled(qos: 1) },
        Fault(
            .robot, "a phone's network stands still for 3 s, its drives carry `echo`",
            holds: "what arrives late is answered `expired` and moves nothing",
            counted: "its end … the first answer", within: .seconds(2)
        ) { try stalledPhone() },
        Fault(
            .robot, "the broker freezes while the robot drives", holds: "the robot stands",
            counted: "freeze … standing wheels", within: .milliseconds(1200)
        ) { try frozenBroker() },
        Fault(
            .robot, "an access list of before, without the echo",
            holds: "nothing moves; answer and log name the lines to add",
            counted: "`online` … the log's line",
            within: .seconds(10)
        ) { try accessListOfBefore() },
        Fault(
            .robot, "the broker refuses the subscription of the emergency stop",
            holds: "drive, power on and weapon on are refused, and `status` says why",
            counted: "`online` … refused", within: .seconds(5)
        ) { try refusedStop() },
    ]

    private static let slow = #"{"direction":90,"speed":1,"duration_ms":500}"#

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
        #expect(answer["message"]?.string?.contains("keeps it standing") == true, "\(answer)")
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
            // The gap: nothing that moves arrives while the status is waited for, which takes half a second.
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

    // MARK: The way

    private static func stalled(qos: Int) throws -> Duration {
        let bench = try Bench()
        let relay = try TCPRelay(to: bench.broker.port)
        defer { relay.end() }
        let it = try RobotBench(
            on: bench, configuration: "robot: { allow_weapon: true, max_lease_ms: 5000 }\n",
            environment: ["TACTILE_BRIDGE_MQTT_PORT": "\(relay.port)"])
        let payload = #"{"direction":90,"speed":1,"duration_ms":5000}"#
        let stick = try Stick(bench.broker, "robot/drive/set", payload, qos: qos)
        try it.robot.expectWheels(turning: true)
        let start = EventLoop.now
        relay.set(.stalled(.toClients))
        let time = try it.expectRest(
            since: start, within: .milliseconds(1200), weapon: false, "network from the broker")
        it.expectStillness(for: .seconds(qos == 0 ? 7 : 3), "while the network stands still")
        stick.release()
        relay.set(.faithful)
        let watcher = try bench.watchAnew()
        try watcher.expect("robot/status", fromStart: true) {
            $0.json["stopped_by"] == "path_lost" && $0.json["power"]?.bool == (qos != 0)
        }
        it.expectStillness(for: .seconds(1), "what was sent meanwhile")
        return time
    }

    private static func stalledPhone() throws -> Duration {
        // What programs take to start is no part of the way.
        let it = try RobotBench(configuration: "robot: { max_path_delay_ms: 2000 }\n")
        let relay = try TCPRelay(to: it.bench.broker.port)
        defer { relay.end() }
        func newestEcho() throws -> String {
            let watcher = try Watcher(it.bench.broker, isThere: true, topics: ["bridge/test/echo"])
            defer { watcher.stop() }
            return try watcher.expect("bridge/test/echo").payload
        }
        let echo = try newestEcho()
        let payload = #"{"direction":90,"speed":1,"duration_ms":500,"echo":"\#(echo)"}"#
        try it.bench.publish("robot/drive/set", payload)
        try it.robot.expectWheels(turning: true)
        try it.robot.expectWheels(turning: false)
        let probe = try Publisher(relay.port, "robot/drive/set")
        try probe.send(#"{"speed":2}"#)
        try it.bench.watcher.expect("robot/result") { $0.json["code"] == "out_of_range" }
        let last = try newestEcho()
        relay.set(.stalled(.toServer))
        for _ in 0..<10 {
            try probe.send(#"{"direction":90,"speed":1,"duration_ms":500,"echo":"\#(last)"}"#)
        }
        it.expectStillness(for: .seconds(3), "while the phone's network stands still")
        let start = EventLoop.now
        relay.set(.faithful)
        let result = try it.bench.watcher.expect("robot/result") { $0.json["code"] == "expired" }
        let time = EventLoop.now - start
        #expect(result.json["reason"] == "sender", "\(result)")
        it.expectStillness(for: .seconds(1), "what came late")
        return time
    }

    private static func frozenBroker() throws -> Duration {
        let it = try RobotBench(configuration: "robot: { allow_weapon: true, max_lease_ms: 5000 }\n")
        try it.bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":5000}"#)
        try it.robot.expectWheels(turning: true)
        let start = EventLoop.now
        it.bench.broker.freeze()
        let time = try it.expectRest(
            since: start, within: .milliseconds(1200), weapon: false, "a frozen broker")
        it.bench.broker.thaw()
        try it.expectFreshStart("the broker goes on")
        return time
    }

    private static func accessListOfBefore() throws -> Duration {
        let bench = try Bench(brokerOptions: {
            $0.accessList =
                "topic readwrite robot/#\ntopic readwrite all/#\ntopic read #\n"
                + ["availability", "info", "devices", "patterns", "event", "stats"].map {
                    "topic readwrite bridge/test/\($0)\n"
                }.joined() + "topic readwrite answer/#\ntopic readwrite watcher/#\n"
        })
        let it = try RobotBench(on: bench, power: false)
        let start = EventLoop.now
        try bench.bridge?.expectLine("no echo comes back", within: .seconds(10))
        let time = EventLoop.now - start
        let answer = try bench.ask("robot/power/set", "on")
        #expect(answer["code"] == "expired" && answer["reason"] == "path", "\(answer)")
        let message = answer["message"]?.string ?? ""
        #expect(message.contains("topic readwrite bridge/test/echo"), "\(answer)")
        #expect(message.contains("topic read bridge/test/echo"), "\(answer)")
        it.expectStillness(for: .milliseconds(500), "no power")
        return time
    }

    private static func refusedStop() throws -> Duration {
        // Mosquitto refuses a subscription only where its list denies it for all: reading is looked at when it delivers.
        let bench = try Bench(brokerOptions: {
            $0.accessList = "topic readwrite #\ntopic deny robot/emergency_stop/set\n"
        })
        let it = try RobotBench(on: bench, power: false)
        let start = EventLoop.now
        try bench.watcher.expect("robot/status", fromStart: true) {
            $0.json["connection"] == "connected" && $0.json["blocked_by"] == "subscription"
        }
        for (feature, payload) in [("drive", slow), ("power", "on"), ("weapon", "on")] {
            let answer = try bench.ask("robot/\(feature)/set", payload)
            #expect(answer["code"] == "wrong_mode" && answer["reason"] == "subscription", "\(answer)")
        }
        let time = EventLoop.now - start
        #expect(try bench.ask("robot/stop/set", "")["status"] == "ok")
        it.expectStillness(for: .milliseconds(500), "no power")
        return time
    }
}

/// A joystick that is held: the same command at a steady pace, by a program of its own.
private final class Stick {
    private let process: TestProcess

    init(
        _ broker: TestBroker, _ topic: String, _ payload: String, every seconds: Double = 0.1, qos: Int = 0
    ) throws {
        process = try TestProcess(
            ["mosquitto_pub"] + broker.arguments + ["-t", topic, "-q", "\(qos)", "-m", payload]
                + ["--repeat", "1000", "--repeat-delay", "\(seconds)"])
    }

    /// Lets go of it.
    func release() { process.end(with: SIGKILL) }
}
