import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "A TAP with the framed protocol and the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZTapTests {
    @Test("The TAP is identified by its characteristics, and switched off at the bridge's exit and kill")
    func framed() throws {
        let bench = try RealBench(
            scenario:
                "devices: { tap: { kind: tap, choices: { model: xr, framed: only, encryption: all } } }",
            configuration: "devices: { tap: { family: tap, address: \"02:B1:7E:00:00:01\" } }")
        try expectSensing(bench)
        try bench.simulator.type("tap 5")
        try bench.watcher.expect("tap/tapped", within: .seconds(20)) {
            $0.json["fingers"] == ["thumb", "middle"]
        }
        try bench.simulator.type("tap gesture left")
        try bench.watcher.expect("tap/air_gesture", within: .seconds(20)) { $0.json["code"] == 101 }
        try bench.simulator.type("tap mouse 12 -3 angles 10 20 30")
        try bench.watcher.expect("tap/moused", within: .seconds(20)) { $0.json["roll"] == 10 }
        #expect(try bench.ask("tap/standby/set", "true")["status"] == "ok")
        try bench.watcher.expect("tap/standby", "true", within: .seconds(20))
        #expect(try bench.ask("tap/standby/set", "false")["status"] == "ok")
        // Four bytes of command and twenty of rhythm: longer than one write with the smallest MTU.
        #expect(try bench.ask("tap/vibrate/set", "[500,100,500]")["status"] == "ok")
        try bench.simulator.expect("vibration", within: .seconds(20)) {
            $0["event"] == "vibrate" && $0["on"] == true
        }
        bench.note("it was used")
        #expect(bench.bridge.end(with: SIGTERM) == 0)
        try expectOff(bench, "SIGTERM")
        try bench.startBridge()
        let guardian = try bench.bridge.expectGuardian(within: .seconds(60))
        try bench.watchAnew()
        try expectSensing(bench)
        bench.bridge.end(with: SIGKILL)
        try expectOff(bench, "kill -9")
        #expect(guardian.ends)
    }

    private func expectSensing(_ bench: RealBench) throws {
        let start = EventLoop.now
        try bench.simulator.expect("taps are sensed", within: .seconds(150)) {
            $0["event"] == "switch" && $0["feature"] == "detection" && $0["on"] == "true"
        }
        try bench.watcher.expectAll(
            ["tap/availability": "online", "tap/sensing": nil, "tap/standby": "false"], within: .seconds(60),
            fromStart: true)
        bench.note("it senses after \(EventLoop.now - start)")
        let (version, isAcquired) = try bench.acquisition()
        // The setting `bluetooth.acquire: auto` uses sockets from BlueZ 5.86 on.
        #expect(isAcquired == (version >= 0x0556))
        bench.note("BlueZ 5.\(version & 0xFF), notifications acquired: \(isAcquired)")
    }

    private func expectOff(_ bench: RealBench, _ cause: String) throws {
        let start = EventLoop.now
        try bench.simulator.expect("nothing is sensed after \(cause)", within: .seconds(20)) {
            $0["event"] == "switch" && $0["feature"] == "detection" && $0["on"] == "false"
                && $0["because"] == "command"
        }
        bench.note("\(cause): it senses nothing after \(EventLoop.now - start)")
    }
}
