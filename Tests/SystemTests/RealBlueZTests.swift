import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "The bridge and the belt through the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZTests {
    @Test("A belt is found, bonded and used, reconnects after a loss, and survives kills of bluetoothd")
    func wholeLife() throws {
        let bench = try RealBench(
            scenario: "devices: { belt: { kind: belt, choices: { pairing: anytime, wait_signal: off } } }")

        // Discovery and joining with pairing: the belt refuses clients that are not bonded.
        try bench.watcher.expect("bridge/test/info", within: .seconds(60)) {
            $0.json["bluez"]?.string?.isEmpty == false
        }
        try bench.publish("bridge/test/request/permit_join", "60")
        try bench.watcher.expect("bridge/test/event", within: .seconds(60)) {
            $0.json["event"] == "device_joined"
        }
        try bench.watcher.expectAll(
            ["belt/availability": "online", "belt/mode": "wait", "belt/battery": nil], within: .seconds(60))
        try bench.publish("bridge/test/request/permit_join", "0")
        let joined = try #require(bench.watcher.seen.last { $0.topic == "belt/connection" }).json
        #expect(joined["bluetooth_adapter"] == "hci0")

        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app", within: .seconds(10))
        try bench.publish("belt/vibrate/set", "90")
        let felt = try bench.simulator.expect("motor 4", within: .seconds(10)) {
            $0["event"] == "feel" && $0["motors"]?.array?.isEmpty == false
        }
        #expect(felt["motors"]?.array?.first?["motor"] == 4)
        try bench.publish("belt/stop/set", "all")
        try bench.simulator.expect("silence", within: .seconds(10)) {
            $0["event"] == "feel" && $0["motors"] == []
        }
        try bench.simulator.type("belt press home")
        try bench.watcher.expect("belt/button", within: .seconds(10)) { $0.json["button"] == "home" }

        // During navigation the connection is lost and restored, and the belt continues without a command.
        try bench.publish("belt/navigation/set", "180")
        try bench.watcher.expect("belt/navigation", within: .seconds(10)) {
            $0.json["state"] == "navigating" && $0.json["direction"] == 180
        }
        try bench.simulator.expectMotors([8])
        try bench.radio("drop", "1")
        try bench.watcher.expect("belt/availability", "offline", within: .seconds(20))
        try bench.simulator.expectMotors([])
        try bench.watcher.expect("belt/availability", "online", within: .seconds(60))
        try bench.simulator.expectMotors([8])
        try bench.publish("belt/navigation/set", "stop")
        try bench.watcher.expectAll(
            ["belt/mode": "wait", "belt/navigation": nil], within: .seconds(10))
        try bench.simulator.expectMotors([])

        // bluetoothd is killed and started again, and so is the belt, which depends on it.
        var times: [Duration] = []
        while times.count < 5 { if let time = try bench.restartDaemon(until: "belt") { times.append(time) } }
        print("real BlueZ: online after the return of bluetoothd: \(times)")
        #expect(times.allSatisfy { $0 < .seconds(10) }, "every return: \(times)")

        // A clean exit.
        bench.bridge.send(SIGTERM)
        try bench.watcher.expectAll(
            ["belt/availability": "offline", "bridge/test/availability": "offline"], within: .seconds(10))
        #expect(bench.bridge.end(with: SIGTERM) == 0)
    }
}
