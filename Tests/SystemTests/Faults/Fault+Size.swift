import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

// Commands that cause motion, and a message larger than the bridge's memory in use.
extension Fault {
    static let size: [Fault] = [
        Fault(
            .robot, "a huge message while driving: 100 MB on the topic that a joystick drives on",
            holds:
                "answered `invalid_payload` with its size, over MQTT 5 and 3.1.1; memory holds at most "
                + "two copies; the next press drives",
            counted: "the answer … the next press drives, the longer", within: .seconds(10)
        ) { try max(huge(version: "5"), huge(version: "3.1.1")) },
        Fault(
            .robot, "a huge stop while driving: 100 MB", holds: "it is obeyed, and answered `ok`",
            counted: "the stop has left its sender … standing wheels", within: .milliseconds(1200)
        ) { try hugeStop() },
        Fault(
            .robot, "no memory for a huge message while driving",
            holds:
                "the connection closes, the reason is logged, and the bridge reconnects; the next press "
                + "drives",
            counted: "the log's line … the next press drives", within: .seconds(15)
        ) { try noMemory() },
        Fault(
            .robot, "killed by the kernel for a huge message while driving",
            holds: "the guardian stops the robot",
            counted: "SIGKILL … standing wheels", within: .milliseconds(500)
        ) { try killedForMemory() },
    ]

    private static let hugeSize = 100_000_000

    /// Starts to send a message of 100 MB.
    private static func sendHuge(_ bench: Bench, _ topic: String) throws -> TestProcess {
        let file = bench.folder.file("huge")
        try TestProcess.run(["truncate", "-s", "\(hugeSize)", file])
        return try TestProcess(
            ["mosquitto_pub"] + bench.broker.arguments + ["-V", "5", "-q", "1", "-t", topic, "-f", file])
    }

    /// A robot that is driven, and a watcher of its results only, as all topics would be too many.
    private static func driven(_ version: String = "auto") throws -> (RobotBench, Watcher, Stick) {
        let it = try RobotBench(environment: ["TACTILE_BRIDGE_MQTT_VERSION": version], power: false)
        it.bench.stopWatching()
        let watcher = try Watcher(it.bench.broker, isThere: true, topics: ["robot/result", "robot/status"])
        try switchOn(it, watcher)
        let stick = try Stick(it.bench.broker, "robot/drive/set", slow)
        try it.robot.expectWheels(turning: true)
        return (it, watcher, stick)
    }

    /// Switches the power on; with MQTT 3.1.1 the answer has no separate topic.
    private static func switchOn(_ it: RobotBench, _ watcher: Watcher) throws {
        try it.expectOpen()
        try it.bench.publish("robot/power/set", #"{"power":true,"id":"on"}"#)
        try watcher.expect("robot/result") { $0.json["id"] == "on" && $0.json["status"] == "ok" }
    }

    /// Requires that old commands move nothing and a new press does; returns the time of that motion.
    @discardableResult
    private static func expectNextPress(_ it: RobotBench, _ watcher: Watcher) throws -> Duration {
        it.expectStillness(for: .milliseconds(500), "before the next press")
        try switchOn(it, watcher)
        try it.bench.publish("robot/drive/set", slow)
        try it.robot.expectWheels(turning: true)
        let time = EventLoop.now
        try it.robot.expectWheels(turning: false)
        return time
    }

    private static func huge(version: String) throws -> Duration {
        let (it, watcher, stick) = try driven(version)
        let before = try #require(it.bench.bridge?.memory).resident
        let sender = try sendHuge(it.bench, "robot/drive/set")
        defer { sender.end(with: SIGKILL) }
        let answer = try watcher.expect("robot/result", within: .seconds(30)) {
            $0.json["code"] == "invalid_payload"
        }
        #expect(
            answer.json["message"]?.string?.contains("\(hugeSize) bytes; allowed: at most 65536") == true,
            "\(answer)")
        let peak = try #require(it.bench.bridge?.peakMemory)
        print("100 MB over MQTT \(version): \(before / 1000) kB in use before, \(peak / 1000) kB at most")
        #expect(peak - before < hugeSize * 2 + 5_000_000 || TestProcess.isSanitized)
        let start = EventLoop.now
        stick.release()
        _ = try rest(it.robot, since: start)
        return try expectNextPress(it, watcher) - start
    }

    private static func hugeStop() throws -> Duration {
        let (it, watcher, stick) = try driven()
        let sender = try sendHuge(it.bench, "robot/stop/set")
        #expect(sender.end(with: nil) == 0)
        let time = try rest(it.robot, since: EventLoop.now)
        try watcher.expect("robot/result", within: .seconds(10), fromStart: true) {
            $0.json["feature"] == "stop" && $0.json["status"] == "ok"
        }
        stick.release()
        try expectNextPress(it, watcher)
        return time
    }

    private static func noMemory() throws -> Duration {
        let (it, watcher, stick) = try driven()
        let bridge = try #require(it.bench.bridge)
        let pid = try #require(bridge.pid)
        // The message fits into the limit, but the copy that the library makes does not.
        try limit(pid, "as", "\(try addressSpace(of: pid) + hugeSize * 3 / 2)")
        let sender = try sendHuge(it.bench, "robot/drive/set")
        defer { sender.end(with: SIGKILL) }
        try bridge.expectLine("not enough memory for a message from the broker", within: .seconds(30))
        let start = EventLoop.now
        stick.release()
        _ = try rest(it.robot, since: start)
        return try expectNextPress(it, watcher) - start
    }

    private static func killedForMemory() throws -> Duration {
        let (it, _, stick) = try driven()
        defer { stick.release() }
        let bridge = try #require(it.bench.bridge)
        let sender = try sendHuge(it.bench, "robot/drive/set")
        defer { sender.end(with: SIGKILL) }
        // Kills the bridge while it reads the message, as the kernel does when memory runs out.
        let end = EventLoop.now + .seconds(30)
        while let memory = bridge.memory, memory.resident < hugeSize, EventLoop.now < end {}
        let start = EventLoop.now
        let peak = try #require(bridge.peakMemory)
        #expect(peak >= hugeSize)
        bridge.sendAlone(SIGKILL)
        return try rest(it.robot, since: start)
    }

    /// The address space that a process uses at present, in bytes.
    private static func addressSpace(of pid: Int32) throws -> Int {
        let pages = try TestProcess.run(["cut", "-d", " ", "-f", "1", "/proc/\(pid)/statm"])
        return try #require(Int(pages)) * sysconf(CInt(_SC_PAGESIZE))
    }

    /// Reads a driven robot's reports until it must have stopped; returns how long it took. The robot may
    /// have stopped earlier.
    private static func rest(_ robot: Program, since start: Duration) throws -> Duration {
        var (turns, time) = (true, Duration.zero)
        let end = start + .milliseconds(1500)
        while let report = robot.nextReport(within: end - EventLoop.now) {
            guard report["event"] == "wheels" else { continue }
            turns = ["left_front", "right_front", "left_rear", "right_rear"].contains { report[$0] != 0 }
            if !turns { time = EventLoop.now - start }
        }
        if turns { throw Missing(what: "standing wheels", seen: []) }
        return time
    }
}
