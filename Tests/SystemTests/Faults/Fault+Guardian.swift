import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let guardian: [Fault] = [
        Fault(
            .process, "SIGSTOP at full speed, and BlueZ refuses the guardian's writes for 5 s",
            holds: "the guardian repeats the stop, and disconnects the robot if that takes too long",
            counted: "the motion's deadline … the wheels stand", within: .seconds(5)
        ) { try refusedGuardian(SIGSTOP) },
        Fault(
            .process, "SIGKILL at full speed, and BlueZ refuses the guardian's writes for 5 s",
            holds: "the guardian repeats the stop, and disconnects the robot if that takes too long",
            counted: "SIGKILL … the wheels stand", within: .seconds(3)
        ) { try refusedGuardian(SIGKILL) },
        Fault(
            .process, "SIGKILL while a belt vibrates, and BlueZ refuses the guardian's writes for 5 s",
            holds: "the guardian repeats the stop until it is acknowledged, then disconnects",
            counted: "the last refusal … silence", within: .seconds(1)
        ) { try refusedSilence() },
        Fault(
            .process, "the guardian is stopped (SIGSTOP) while the robot drives, and continued",
            holds: "the robot drives on; a guardian that remains stopped is replaced",
            counted: "SIGSTOP … another guardian", within: .seconds(10)
        ) { try stoppedGuardian() },
        Fault(
            .process, "SIGKILL at full speed, refused writes, and another bridge at once",
            holds: "it connects nothing before the old guardian has stopped the robot and exited",
            counted: "the new bridge's start … the robot is `online`", within: .seconds(20)
        ) { try fastRestart() },
    ]

    /// Stops or kills the bridge at full speed while writes fail for five seconds.
    private static func refusedGuardian(_ signal: CInt) throws -> Duration {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        #expect(try it.bench.ask("robot/weapon/set", "on")["status"] == "ok")
        try it.robot.expectWeapon(true)
        try it.bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":500}"#)
        let deadline = EventLoop.now + .milliseconds(500)
        try it.robot.expectWheels(turning: true)
        bridge.send(SIGSTOP)
        try it.bench.arrange(["bluez refuse WriteValue InProgress 5s"])
        bridge.send(signal)
        let start = signal == SIGKILL ? EventLoop.now : deadline
        let time = try it.expectRest(since: start, within: .seconds(5), "refused for 5 s")
        if signal == SIGKILL { #expect(guardian.ends) } else { bridge.send(SIGCONT) }
        it.expectStillness(for: .seconds(1), "afterwards")
        return time
    }

    private static func refusedSilence() throws -> Duration {
        let bench = try Bench()
        // BlueZ does not close the connection, so only writes can silence the belt.
        let simulator = try bench.startSimulator(
            scenario: "bluez: { disconnect_time: 1min }\ndevices: { belt: }")
        let bridge = try bench.startBridge()
        let guardian = try bridge.expectGuardian()
        try bench.watcher.expect("belt/availability", "online")
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        try simulator.expectMotors([4])
        bridge.send(SIGSTOP)
        try bench.arrange(["bluez refuse WriteValue InProgress 5s"])
        let end = EventLoop.now + .seconds(5)
        bridge.send(SIGKILL)
        try simulator.expectMotors([], within: .seconds(10))
        let time = EventLoop.now - end
        #expect(guardian.ends(within: .seconds(15)))
        return max(.zero, time)
    }

    static func stoppedGuardian() throws -> Duration {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let first = try bridge.expectGuardian()
        let driver = try Publisher(it.bench.broker, "robot/drive/set")
        /// Drives for a time, 10 times a second with leases of 500 ms; the wheels must not stop in that time.
        func drive(for time: Duration, until isOver: () throws -> Bool = { false }) throws {
            let end = EventLoop.now + time
            while EventLoop.now < end, try !isOver() {
                try driver.send(#"{"direction":90,"speed":1,"duration_ms":500}"#)
                it.expectNoHalt(for: .milliseconds(100), "with a guardian that sleeps or wakes")
            }
        }
        try driver.send(#"{"direction":90,"speed":1,"duration_ms":500}"#)
        try it.robot.expectWheels(turning: true)
        // Long enough for the guardian's newest deadline to pass, too short for the bridge to replace the guardian.
        try drive(for: .seconds(1))
        first.signal(SIGSTOP)
        try drive(for: .milliseconds(1500))
        first.signal(SIGCONT)
        try drive(for: .seconds(1))
        #expect(first.isThere)

        let start = EventLoop.now
        first.signal(SIGSTOP)
        var second: Other?
        try drive(for: .seconds(10)) {
            while let line = bridge.nextLine(within: .milliseconds(2)) {
                if line.contains("guardian started") { second = Other(pid: try bridge.guardian(in: line)) }
            }
            return second != nil
        }
        let time = EventLoop.now - start
        #expect(first.ends)
        first.signal(SIGCONT)
        try drive(for: .seconds(1))
        let killed = EventLoop.now
        try it.bench.endBridge(with: SIGKILL)
        try it.robot.expectWheels(turning: false)
        #expect(EventLoop.now - killed < .milliseconds(500))
        #expect(try #require(second).ends)
        return time
    }

    static func fastRestart() throws -> Duration {
        let it = try RobotBench(scenario: RobotBench.longLink("6s"))
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        try it.race()
        bridge.send(SIGSTOP)
        try it.bench.arrange(["bluez refuse WriteValue InProgress 5s"])
        let begin = EventLoop.now
        try it.bench.endBridge(with: SIGKILL)
        try it.bench.watcher.expect("bridge/test/availability", "offline")
        let start = EventLoop.now
        let next = try it.bench.startBridge(configuration: "robot: { allow_weapon: true }\n")
        try next.expectLine("the guardian of an earlier bridge is still running")
        #expect(guardian.isThere)
        try it.expectRest(since: begin, within: .seconds(6), "a fast restart")
        try it.bench.watcher.expect("bridge/test/availability", "online", within: .seconds(20))
        #expect(!guardian.isThere, "nothing is begun before the old guardian has ended")
        try it.robot.expect("the old link is closed") { $0["event"] == "link" && $0["connected"] == false }
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(15))
        let time = EventLoop.now - start
        try it.expectFreshStart("a new bridge")
        return time
    }
}

extension RobotBench {
    /// Reads reports for a time in which the wheels must not stop.
    func expectNoHalt(for time: Duration, _ what: String) {
        let end = EventLoop.now + time
        while let report = robot.nextReport(within: max(.zero, end - EventLoop.now)) {
            guard report["event"] == "wheels" else { continue }
            let names = ["left_front", "right_front", "left_rear", "right_rear"]
            #expect(names.contains { report[$0] != 0 }, "\(what): \(report)")
        }
    }
}
