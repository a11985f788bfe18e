import EventLoop
import HostTesting
import JSON
import Testing

@Suite(
    "The distribution's bluetoothd with all families: killed, and with outdated data", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZDaemonTests {
    @Test(
        "Killed while the robot drives and belt and TAP notify: all disconnect and reconnect, nothing is resumed"
    )
    func killedInMotion() throws {
        let bench = try RealBench.withAllFamilies()
        let robot = try RealRobot(bench)
        try notify(bench, heading: 90)
        try robot.race()

        let start = EventLoop.now
        try bench.killDaemon(withDevices: false)
        // The simulated devices use the same bluetoothd and detect its end at once. A real robot detects the
        // lost connection when the kernel closes it: until then it drives on, whatever the bridge does.
        try bench.expectNoLinks("3", within: .seconds(30))
        bench.note("bluetoothd killed: the kernel has closed the robot's link after \(EventLoop.now - start)")
        try bench.expect("offline", within: .seconds(60))
        let status = try #require(bench.watcher.seen.last { $0.topic == "robot/status" }).json
        #expect(status["stopped_by"] == "link_lost" && status["power"] == false, "\(status)")

        try bench.startDaemon(withDevices: false)
        let back = EventLoop.now
        guard try bench.survivesKill({ try bench.expect("online", within: .seconds(120)) }) else { return }
        bench.note("bluetoothd is back: all three are online after \(EventLoop.now - back)")
        robot.expectStillness("bluetoothd is back")
        try notify(bench, heading: 270)
        try robot.race()
        let answer = try bench.ask("all/stop/set", "now")
        #expect(answer["status"] == "ok" && answer["members"]?.array?.count == 3, "\(answer)")
        try otherServices(bench)
    }

    /// The TAP returns with fewer services, as after a firmware update: it has no keyboard, and all later
    /// handles differ. bluetoothd still uses the handles saved for the bonded device.
    private func otherServices(_ bench: RealBench) throws {
        bench.endDevices()
        try bench.expect("offline", within: .seconds(60))
        try bench.startDevices(
            scenario: RealBench.allFamilies(tap: "encryption: all, hid: false, missing: [2A28]"))
        let back = EventLoop.now
        try bench.expect("online", within: .seconds(120))
        bench.note("TAP with other services: all three are online after \(EventLoop.now - back)")
        try notify(bench, heading: 45)
    }

    /// The belt reports its heading continuously, and the TAP is tapped.
    private func notify(_ bench: RealBench, heading: Int) throws {
        try bench.simulator.type("belt turn \(heading)")
        try bench.watcher.expect("belt/orientation", within: .seconds(30)) {
            $0.json["heading"]?.integer == heading
        }
        try bench.simulator.type("tap 5")
        try bench.watcher.expect("tap/tapped", within: .seconds(30)) {
            $0.json["fingers"] == ["thumb", "middle"]
        }
    }
}
