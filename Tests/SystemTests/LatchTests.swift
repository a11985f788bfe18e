import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The emergency stop over restarts, from a shell to the robot's power", .serialized)
struct LatchTests {
    @Test("An emergency stop answered `kept` survives SIGKILL; power/set on releases it, which survives too")
    func killed() throws {
        let it = try LatchBench.joined()
        let answer = try it.stop()
        #expect(answer["status"] == "ok" && answer["latch"] == "kept", "\(answer)")
        let watcher = try it.restart { try it.forgetStatus() }
        try it.expectLatched(watcher)
        #expect(try String(contentsOfFile: it.latch, encoding: .utf8).hasPrefix("E "))
        try it.bench.expectOK("robot/power/set", "on")
        #expect(try String(contentsOfFile: it.latch, encoding: .utf8).hasPrefix("C "))
        // The retained status shows it too before the bridge is killed.
        try watcher.expect("robot/status") { $0.json["emergency_stop"] == false && $0.json["power"] == true }
        try it.restart().expect("robot/status", within: .seconds(20)) {
            !$0.isRetained && $0.json["power"] == true
        }
    }

    @Test("A disk that never responds does not keep the bridge from exiting")
    func hungDisk() throws {
        let it = try LatchBench.joined()
        try it.bench.endBridge(with: SIGTERM)
        // Opening the FIFO for writing blocks until it has a reader.
        unlink(it.latch)
        #expect(mkfifo(it.latch, 0o600) == 0)
        let bridge = try it.start()
        try it.bench.watcher.expect("bridge/test/availability", "online")
        // The bridge does not read a special file: it replaces it, or waits for it.
        let watcher = try it.bench.watchAnew()
        try watcher.expectAll(["robot/availability": "online"], within: .seconds(20), fromStart: true)
        try it.bench.publish("robot/emergency_stop/set", "")
        try watcher.expect("robot/result", within: .seconds(10)) { $0.json["feature"] == "emergency_stop" }
        bridge.sendAlone(SIGTERM)
        let start = EventLoop.now
        let pid = try #require(bridge.pid)
        #expect(Other(pid: pid).ends(within: .seconds(14)))
        print("SIGTERM behind a disk that hangs: ended after \(EventLoop.now - start)")
    }

    @Test("An emergency stop set while the robot is disconnected survives SIGKILL")
    func away() throws {
        let it = try LatchBench.joined()
        try it.bench.act("mute robot")
        try it.bench.watcher.expect("robot/availability", "offline", within: .seconds(15))
        let answer = try it.stop()
        #expect(answer["kept"] == true && answer["latch"] == "kept", "\(answer)")
        let watcher = try it.restart {
            try it.forgetStatus()
            try it.bench.act("unmute robot")
        }
        try it.expectLatched(watcher)
    }

    @Test("An emergency stop in the retained status applies to a robot whose file does not contain it")
    func recalled() throws {
        let it = try LatchBench.joined()
        let watcher = try it.restart {
            try it.bench.publish("robot/status", #"{"emergency_stop":true}"#, ["-r", "-q", "1"])
        }
        try it.expectLatched(watcher)
        // The file contains it now.
        try it.expectLatched(
            try it.restart { try it.forgetStatus() })
    }

    @Test(
        "A robot without a file gets no power on connect until you give it; log and answer state the reason")
    func unconfirmed() throws {
        let it = try LatchBench.joined()
        for _ in 1...2 {
            let watcher = try it.restart {
                // The first time there is no file; the second time the file states that the latch is unknown.
                if try String(contentsOfFile: it.latch, encoding: .utf8).hasPrefix("C ") {
                    try FileManager.default.removeItem(atPath: it.latch)
                }
            }
            try it.bench.bridge?.expectLine(
                "unknown whether an emergency stop was set", within: .seconds(20))
            try it.expectNoPower(watcher)
            let answer = try it.bench.ask("robot/drive/set", #"{"speed":1}"#)
            #expect(
                answer["message"]?.string?.contains("power_on_connect has no effect") == true, "\(answer)")
            #expect(try String(contentsOfFile: it.latch, encoding: .utf8).hasPrefix("U "))
        }
        try it.bench.expectOK("robot/power/set", "on")
        try it.restart().expect("robot/status", within: .seconds(20)) {
            !$0.isRetained && $0.json["power"] == true
        }
    }

    @Test("The state file of an earlier version is migrated")
    func migration() throws {
        let it = try LatchBench.joined()
        let watcher = try it.restart {
            try FileManager.default.removeItem(atPath: "\(it.state)/latches")
            let path = "\(it.state)/state.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let old = text.replacing(#""memory":{"#, with: #""memory":{"emergency_stop":true,"#)
            #expect(old != text)
            try old.write(toFile: path, atomically: true, encoding: .utf8)
            try it.forgetStatus()
        }
        try it.expectLatched(watcher)
        #expect(try String(contentsOfFile: it.latch, encoding: .utf8).hasPrefix("E "))
    }
}
