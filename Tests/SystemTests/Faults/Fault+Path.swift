import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

// Commands that cause motion, and the path from a sender over the broker to the bridge.
extension Fault {
    static let way: [Fault] = [
        Fault(
            .robot, "the network from the broker stalls for 8 s",
            holds:
                "the robot stands, `stopped_by` `path_lost`, loses its power after 5 s, and obeys no "
                + "message of that time",
            counted: "stall … standing wheels", within: .milliseconds(1200)
        ) { try stalled(qos: 0) },
        Fault(
            .robot, "a backlog of drives at QoS 1 after the network stalled",
            holds: "none of it moves the robot",
            counted: "stall … standing wheels", within: .milliseconds(1200)
        ) { try stalled(qos: 1) },
        Fault(
            .robot, "a phone's network stalls for 3 s, its drives carry `echo`",
            holds: "late drives are answered `expired` and move nothing",
            counted: "its end … the first answer", within: .seconds(2)
        ) { try stalledPhone() },
        Fault(
            .robot, "the broker freezes while the robot drives", holds: "the robot stands",
            counted: "freeze … standing wheels", within: .milliseconds(1200)
        ) { try frozenBroker() },
        Fault(
            .robot, "an access list of an older version, without the echo",
            holds: "nothing moves; answer and log name the lines to add",
            counted: "`online` … the log's line", within: .seconds(10)
        ) { try accessListOfBefore() },
    ]

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
        // The start time of programs is not part of the path.
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
        let folder = try TemporaryDirectory()
        let rules = "topic readwrite #\n\nuser bridge\ntopic readwrite #\ntopic deny bridge/test/echo\n"
        let file = try folder.write(rules, to: "access")
        chmod(file, 0o600)
        let bench = try Bench(
            users: ["bridge": "secret"], brokerLines: ["allow_anonymous true", "acl_file \(file)"])
        let it = try RobotBench(
            on: bench,
            environment: [
                "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
            ], power: false)
        let start = EventLoop.now
        try bench.bridge?.expectLine("no echo is received", within: .seconds(10))
        let time = EventLoop.now - start
        // The bridge may need another connection to find the topic forbidden, and the path of that connection
        // is not measured yet.
        let end = EventLoop.now + .seconds(20)
        var answer = try bench.ask("robot/power/set", "on")
        while answer["message"]?.string?.contains("not measured yet") == true, EventLoop.now < end {
            answer = try bench.ask("robot/power/set", "on")
        }
        #expect(answer["code"] == "expired" && answer["reason"] == "path", "\(answer)")
        let message = answer["message"]?.string ?? ""
        #expect(message.contains("topic readwrite bridge/test/echo"), "\(answer)")
        #expect(message.contains("topic read bridge/test/echo"), "\(answer)")
        it.expectStillness(for: .milliseconds(500), "no power")
        return time
    }
}
