import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

// The disk, and the emergency stop that the bridge must save on it.
extension Fault {
    static let disk: [Fault] = [
        Fault(
            .host, "slow disk: 300 ms for each fsync, while a robot drives and a belt is renamed",
            holds:
                "the stop is not delayed; the bridge's thread touches no file; an emergency stop is "
                + "answered `kept`",
            counted: "`stop` … the wheels stand", within: .milliseconds(250)
        ) { try slowDisk() },
        Fault(
            .host, "full disk at an emergency stop",
            holds: "answered `kept`, and effective after SIGKILL although `power_on_connect` is on",
            counted: "`emergency_stop` … its answer", within: .seconds(1)
        ) { try fullDisk() },
        Fault(
            .host, "a disk that takes longer than 2 s for an emergency stop",
            holds: "the robot stops at once; answered `not_kept` with the reason; `power/set on` is refused",
            counted: "`emergency_stop` … its answer", within: .seconds(3)
        ) { try hangingDisk() },
        Fault(
            .host, "truncated state file after an emergency stop",
            holds: "the emergency stop holds, and the robot gets no power",
            counted: "the next start … it is online and reports the stop", within: .seconds(10)
        ) { try tornState() },
        Fault(
            .host, "the folder of the emergency stops cannot be read",
            holds:
                "every robot counts as stopped, and the log reports it; `power/set on` is refused with "
                + "the reason",
            counted: "the next start … it is online and reports the stop", within: .seconds(10)
        ) { try unreadableLatches() },
    ]

    static let latch: [Fault] = [
        Fault(
            .process, "an emergency stop, `forget`, and the robot joins again",
            holds: "the emergency stop holds, and the robot gets no power",
            counted: "`permit_join` … it is online and reports the stop", within: .seconds(20)
        ) { try forgotten() }
    ]

    static func slowDisk() throws -> Duration {
        let bench = try Bench()
        let shim = try DiskShim(in: bench.folder)
        let it = try LatchBench.joined(
            bench, more: "  belt: { address: \"C0:FF:EE:00:00:01\" }\n", environment: shim.environment)
        try bench.watcher.expectAll(
            ["belt/availability": "online"], within: .seconds(15), fromStart: true)
        // Waits until the writes of the start are on the disk.
        var waits = 0
        repeat {
            waits = try shim.seen().waits
            bench.watcher.watch(for: .milliseconds(700))
        } while try shim.seen().waits > waits
        try shim.delay(.milliseconds(300))
        let driver = try Publisher(bench.broker, "robot/drive/set")
        let stopper = try Publisher(bench.broker, "robot/stop/set")
        var worst = Duration.zero
        for number in 1...3 {
            // The publishers are connected when these messages have arrived.
            try stopper.send("")
            try driver.send(#"{"speed":2}"#)
            try bench.watcher.expect("robot/result") {
                $0.json["feature"] == "drive" && $0.json["status"] == "error"
            }
            bench.watcher.watch(for: .milliseconds(2500))
            let start = try driver.send(#"{"direction":90,"speed":1,"duration_ms":2000}"#)
            try it.robot.expectWheels(turning: true)
            let before = try shim.seen().waits
            let name = number == 1 ? "belt" : "belt\(number - 1)"
            try bench.publish("bridge/test/request/rename", #"{"device":"\#(name)","to":"belt\#(number)"}"#)
            let end = EventLoop.now + .seconds(5)
            while try shim.seen().waits == before, EventLoop.now < end { usleep(1000) }
            try #require(EventLoop.now < end, "the new name is kept")
            let stop = try stopper.send("")
            try it.robot.expectWheels(turning: false)
            let time = EventLoop.now - stop
            worst = max(worst, time)
            #expect(stop - start < .seconds(2), "the stop has ended the motion, and not the lease")
            try bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "stop" }
        }
        let answer = try it.stop()
        #expect(answer["latch"] == "kept", "\(answer)")
        #expect((300..<2000).contains(answer["elapsed_ms"]?.integer ?? 0), "\(answer)")
        bench.broker.kill()
        try bench.broker.start()
        try bench.watchAnew().expectAll(
            ["robot/availability": "online"], within: .seconds(15), fromStart: true)
        let onLoop = try shim.seen().onLoop
        #expect(onLoop == [], "\(onLoop)")
        return worst
    }

    static func fullDisk() throws -> Duration {
        let it = try LatchBench.joined()
        let disk = try SmallDisk(at: it.state, it)
        defer { disk?.unmount() }
        if disk == nil {
            // Only the first byte of a file can be written: longer writes fail as on a full disk.
            print("full disk: no file system can be mounted here; the size of files is limited instead")
            try limit(try #require(it.bench.bridge?.pid), "fsize", "1")
        } else {
            try disk?.fill()
        }
        try it.bench.publish("bridge/test/request/rename", #"{"device":"robot","to":"robot"}"#)
        var answer = JSON.Value.null
        let time = try time { answer = try it.stop() }
        #expect(answer["status"] == "ok" && answer["latch"] == "kept", "\(answer)")
        try it.expectLatched(try it.restart { try it.forgetStatus() })
        return time
    }

    static func hangingDisk() throws -> Duration {
        let bench = try Bench()
        let shim = try DiskShim(in: bench.folder)
        let it = try LatchBench.joined(bench, environment: shim.environment)
        try shim.delay(.seconds(5))
        try bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":2000}"#)
        try it.robot.expectWheels(turning: true)
        let start = EventLoop.now
        let answer = try it.stop()
        let time = EventLoop.now - start
        try it.robot.expectWheels(turning: false)
        #expect(answer["status"] == "ok" && answer["latch"] == "not_kept", "\(answer)")
        #expect(answer["reason"]?.string?.contains("2 s") == true)
        let power = try bench.ask("robot/power/set", "on")
        #expect(power["code"] == "internal", "\(power)")
        return time
    }

    static func tornState() throws -> Duration {
        let it = try LatchBench.joined()
        #expect(try it.stop()["latch"] == "kept")
        let watcher = try it.restart {
            try it.forgetStatus()
            // Simulates a disk that lost its newest blocks: the state is cut short, and the earlier one is complete.
            let state = try String(contentsOfFile: "\(it.state)/state.json", encoding: .utf8)
            try state.write(toFile: "\(it.state)/state.json.before", atomically: true, encoding: .utf8)
            try String(state.prefix(state.count / 2)).write(
                toFile: "\(it.state)/state.json", atomically: true, encoding: .utf8)
        }
        let time = try it.expectLatched(watcher)
        #expect(FileManager.default.fileExists(atPath: "\(it.state)/state.json.damaged"))
        return time
    }

    static func unreadableLatches() throws -> Duration {
        let it = try LatchBench.joined()
        let folder = "\(it.state)/latches"
        let watcher = try it.restart {
            // Root may read any folder, so a file replaces the folder.
            try FileManager.default.moveItem(atPath: folder, toPath: "\(folder).away")
            try "".write(toFile: folder, atomically: true, encoding: .utf8)
        }
        try it.bench.bridge?.expectLine("the emergency stops cannot be read")
        let time = try it.expectLatched(watcher)
        let refused = try it.bench.ask("robot/power/set", "on")
        #expect(refused["code"] == "internal", "\(refused)")
        #expect(refused["message"]?.string?.contains("Not a directory") == true, "\(refused)")
        try FileManager.default.removeItem(atPath: folder)
        try it.bench.expectOK("robot/power/set", "on")
        return time
    }

    static func forgotten() throws -> Duration {
        let it = try LatchBench.joined()
        #expect(try it.stop()["latch"] == "kept")
        try it.bench.expectOK("bridge/test/request/forget", "robot")
        let watcher = try it.bench.watchAnew()
        let start = EventLoop.now
        try it.bench.expectOK("bridge/test/request/permit_join", "60")
        let time = try it.expectLatched(watcher)
        return min(EventLoop.now - start, time)
    }
}

/// A small file system for the state folder, which a test can fill.
private struct SmallDisk {
    let path: String

    /// Mounts the file system over the state folder and keeps the contents; nil if mounting is not permitted.
    init?(at path: String, _ it: LatchBench) throws {
        self.path = path
        try it.bench.endBridge(with: SIGTERM)
        let copy = "\(path).copy"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let isMounted =
            (try? TestProcess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", path])) != nil
        if isMounted { try TestProcess.run(["cp", "-r", "\(copy)/.", path]) }
        let watcher = try it.bench.watchAnew()
        try it.start()
        try watcher.expect("robot/status", within: .seconds(20)) {
            !$0.isRetained && $0.json["power"] == true
        }
        if !isMounted { return nil }
    }

    /// Writes until the file system is full.
    func fill() throws {
        let file = open("\(path)/filling", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        let bytes = [UInt8](repeating: 0x2E, count: 4096)
        while write(file, bytes, bytes.count) > 0 {}
        #expect(errno == ENOSPC)
        close(file)
    }

    func unmount() { _ = try? TestProcess.run(["umount", "-l", path]) }
}

extension Watcher {
    /// Reads all reports for a time.
    fileprivate func watch(for time: Duration) {
        let end = EventLoop.now + time
        while next(within: end - EventLoop.now) != nil {}
    }
}
