import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The end of the bridge", .serialized)
struct GuardianTests {
    @Test(
        "kill -9 of the bridge: the belt is silent within 500 ms, disconnected, and no process is left")
    func belt() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: "devices: { belt: }")
        let guardian = try bench.startBridge().expectGuardian()
        try bench.watcher.expect("belt/availability", "online")
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        try simulator.expectMotors([4])
        let start = EventLoop.now
        try bench.endBridge(with: SIGKILL)
        try simulator.expectMotors([])
        let time = EventLoop.now - start
        print("kill -9: the belt is silent after \(time)")
        #expect(time < .milliseconds(500))
        try simulator.expect("the link is closed") { $0["event"] == "link" && $0["connected"] == false }
        #expect(guardian.ends)
    }

    @Test("kill -9 at full speed: the robot stops within 500 ms, and a new bridge resumes nothing")
    func robot() throws {
        let it = try RobotBench()
        let guardian = try #require(it.bench.bridge).expectGuardian()
        let memory = try #require(guardian.memory)
        print("guardian: \(memory.resident / 1024) kB resident, \(memory.own / 1024) kB of it its own")
        #expect(TestProcess.isSanitized || memory.own < 6_000_000)
        try it.race()
        let start = EventLoop.now
        try it.bench.endBridge(with: SIGKILL)
        try it.expectRest(since: start, within: .milliseconds(500), "kill -9")
        try it.robot.expect("the link is closed") { $0["event"] == "link" && $0["connected"] == false }
        #expect(guardian.ends)
        try it.bench.startBridge(configuration: "robot: { allow_weapon: true }\n")
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(15))
        try it.expectFreshStart("a new bridge")
    }

    @Test("kill -9 of the guardian is detected: a new guardian replaces it and has the wills")
    func guardianKilled() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let first = try bridge.expectGuardian()
        try it.race()
        first.signal(SIGKILL)
        let second = try bridge.expectGuardian()
        #expect(second.pid != first.pid && first.ends)
        // The guardian's new data waits in its pipe; no event shows when the guardian has read it.
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        let start = EventLoop.now
        try it.bench.endBridge(with: SIGKILL)
        try it.expectRest(since: start, within: .milliseconds(500), "kill -9 after the guardian's")
        #expect(second.ends)
    }

    @Test("kill -9 of both leaves no process; run-wills executes the remaining wills")
    func bothKilled() throws {
        let it = try RobotBench()
        let guardian = try #require(it.bench.bridge).expectGuardian()
        try it.race()
        let bridge = try #require(it.bench.bridge?.pid)
        // A suspended bridge does not start another guardian.
        it.bench.bridge?.send(SIGSTOP)
        guardian.signal(SIGKILL)
        try it.bench.endBridge(with: SIGKILL)
        #expect(guardian.ends)
        #expect(Other(pid: bridge).ends)
        let file = "\(it.bench.folder.file("state"))/wills"
        #expect(access(file, F_OK) == 0)
        let start = EventLoop.now
        // The command needs no configuration, and ignores an invalid one.
        let wills = try Program(
            "tactile-bridge", ["run-wills", it.bench.folder.file("state")],
            environment: ["TACTILE_BRIDGE_LOG_LEVEL": "half-edited"])
        try it.expectRest(since: start, within: .seconds(1), "run-wills")
        #expect(wills.wait() == 0)
        #expect(access(file, F_OK) != 0)
    }

    @Test(
        "SIGSTOP at full speed: the guardian stops the robot at its deadline, and nothing resumes after SIGCONT"
    )
    func stopped() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        #expect(try it.bench.ask("robot/weapon/set", "on")["status"] == "ok")
        try it.robot.expectWeapon(true)
        let driver = try Publisher(it.bench.broker, "robot/drive/set")
        // A separate program publishes, as a long-running one reads its input only from time to time.
        let start = EventLoop.now
        try it.bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":1000}"#)
        try it.robot.expectWheels(turning: true)
        bridge.send(SIGSTOP)
        try it.expectRest(since: start, within: .milliseconds(1250), "SIGSTOP, lease of 1 s")
        for _ in 0..<20 { try driver.send(RobotBench.fullSpeed) }
        it.expectStillness(for: .seconds(1), "while the bridge is stopped")
        bridge.send(SIGCONT)
        it.expectStillness(for: .seconds(1), "after waking")
        // The motors still have power, as the end of a lease does not switch it off.
        let drive = try it.askWhenCaughtUp("robot/drive/set", #"{"direction":0,"speed":0.5}"#)
        #expect(drive["status"] == "ok", "\(drive)")
        try it.robot.expectWheels(turning: true)
        try it.robot.expectWheels(turning: false)
    }

    @Test(
        "A stop sent while the bridge was stalled for 2 s under 1,000 drives a second is executed",
        arguments: ["stop", "emergency_stop"])
    func stopInStall(_ feature: String) throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let driver = try Publisher(it.bench.broker, "robot/drive/set")
        try it.bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":500}"#)
        try it.robot.expectWheels(turning: true)
        bridge.send(SIGSTOP)
        let start = EventLoop.now
        var count = 0
        var isSent = false
        // The broker has all of them when the bridge resumes: messages still on the way would count as new.
        while EventLoop.now - start < .milliseconds(1700) {
            let due = Int((EventLoop.now - start) / .milliseconds(1))
            while count < due {
                try driver.send(#"{"direction":\#(count % 360),"speed":1,"duration_ms":2000}"#)
                count += 1
            }
            if !isSent, count >= 1000 {
                try it.bench.publish("robot/\(feature)/set", #"{"id":77}"#, ["-q", "1"])
                isSent = true
            }
            _ = it.robot.nextReport(within: .milliseconds(1))
        }
        while EventLoop.now - start < .seconds(2) { _ = it.robot.nextReport(within: .milliseconds(10)) }
        bridge.send(SIGCONT)
        let answer = try it.bench.watcher.expect("robot/result", within: .seconds(10)) {
            $0.json["feature"]?.string == feature
        }
        #expect(answer.json["status"] == "ok" && answer.json["id"] == 77, "\(answer)")
        it.expectStillness(for: .seconds(1), "after a stall with \(feature)")
        print("stall of 2 s: \(count) drives were sent, and a \(feature) among them")
        if feature == "emergency_stop" {
            #expect(try it.askWhenCaughtUp("robot/drive/set", #"{"speed":1}"#)["code"] == "wrong_mode")
            try it.powerOn()
        }
        let drive = try it.askWhenCaughtUp("robot/drive/set", #"{"direction":0,"speed":0.5}"#)
        #expect(drive["status"] == "ok", "\(drive)")
        try it.robot.expectWheels(turning: true)
    }

    @Test("Ctrl-C reaches the bridge and not the guardian, which only the end of its pipe stops")
    func interrupted() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGQUIT] { guardian.signal(number) }
        try it.race()
        #expect(guardian.isThere)
        #expect(guardian.group != Other(pid: try #require(bridge.pid)).group)
        let start = EventLoop.now
        // To the whole process group, as a terminal does.
        bridge.send(SIGINT)
        try it.expectRest(since: start, within: .milliseconds(300), "Ctrl-C")
        #expect(try it.bench.endBridge(with: SIGINT) == 0)
        #expect(guardian.ends)
        #expect(access("\(it.bench.folder.file("state"))/wills", F_OK) != 0)
    }
}

/// A process that a test did not start itself.
struct Other {
    let pid: pid_t

    func signal(_ number: CInt) { _ = Glibc.kill(pid, number) }

    var group: pid_t { getpgid(pid) }
    /// Whether the process runs; a zombie does not.
    var isThere: Bool { access("/proc/\(pid)/exe", F_OK) == 0 }

    /// Whether the process has exited, or does so within ten seconds.
    var ends: Bool { ends(within: .seconds(10)) }

    /// Whether the process has exited, or does so within a time.
    func ends(within time: Duration) -> Bool {
        let end = EventLoop.now + time
        while isThere, EventLoop.now < end { _ = poll(nil, 0, 10) }
        return !isThere
    }

    /// The memory in use, in bytes: the whole resident memory, and the private part of it.
    var memory: (resident: Int, own: Int)? { TestProcess.memory(of: pid) }
}

extension Program {
    /// Returns the process that the bridge's next guardian log line names.
    func expectGuardian(within limit: Duration = .seconds(5)) throws -> Other {
        Other(pid: try guardian(in: try expectLine("guardian started", within: limit)))
    }

    /// The process identifier in a log line.
    func guardian(in line: String) throws -> pid_t {
        let word = line.split { $0 == " " }.first { $0.hasPrefix("pid=") }
        return try #require(word.flatMap { pid_t($0.dropFirst(4)) })
    }
}
