import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Commands from a shell to the belt and back", .serialized)
struct CommandTests {
    @Test("The belt appears with its battery, mode and intensity, without a configuration")
    func appears() throws {
        let bench = try Bench.withBelt()
        let watcher = try bench.watchAnew()
        try watcher.expectAll(
            [
                "bridge/test/availability": "online", "belt/availability": "online", "belt/mode": "wait",
                "belt/battery": nil, "belt/intensity": nil, "belt/info": nil, "belt/features": nil,
                "belt/connection": nil, "bridge/test/info": nil, "bridge/test/devices": nil,
            ], within: .seconds(5), fromStart: true)
        let battery = try #require(watcher.seen.last { $0.topic == "belt/battery" }).json
        #expect(battery.object?.keys == ["level", "power", "remaining_s", "current_ma", "voltage_mv"])
        let connection = try #require(watcher.seen.last { $0.topic == "belt/connection" })
        #expect(connection.isRetained)
        #expect(connection.json["state"] == "connected")
        #expect(connection.json["bridge"] == "test")
    }

    @Test("A mode is set, and vibration to the right runs motor 4 until it is stopped")
    func vibration() throws {
        let bench = try Bench.withBelt()
        let simulator = try #require(bench.simulator)
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        try bench.watcher.expect("belt/result") {
            $0.json["status"] == "ok" && $0.json["feature"] == "vibrate"
        }
        let felt = try simulator.expect("motor 4 vibrates") { value in
            value["event"] == "feel" && value["motors"]?.array?.count == 1
        }
        #expect(felt["motors"]?.array?.first?["motor"] == 4)
        try bench.publish("belt/stop/set", "all")
        try simulator.expect("silence") { $0["event"] == "feel" && $0["motors"] == [] }
    }

    @Test("A button press arrives as an event with a time and a number")
    func button() throws {
        let bench = try Bench.withBelt()
        try bench.act("belt press home")
        let press = try bench.watcher.expect("belt/button").json
        #expect(press["button"] == "home")
        #expect(press["press"] == "short")
        #expect(press["seq"] == 1)
        #expect(press["time"]?.string?.hasSuffix("Z") == true)
    }

    @Test("A request is answered to its sender, an invalid one with the allowed range")
    func answers() throws {
        let bench = try Bench.withBelt()
        let good = try bench.ask("belt/intensity/set", "60")
        #expect(good["status"] == "ok")
        #expect(good["feature"] == "intensity")
        try bench.watcher.expect("belt/intensity", "60")
        let bad = try bench.ask("belt/intensity/set", "400")
        #expect(bad["code"] == "out_of_range")
        #expect(bad["message"]?.string?.contains("5...100") == true)
        let unknown = try bench.ask("belt/colour/set", "red")
        #expect(unknown["code"] == "unknown_feature")
    }

    @Test("A belt and a robot answer a command for an unknown feature, and one without a feature")
    func unknown() throws {
        let bench = try Bench.withBelt()
        let close = try bench.ask("belt/vibrat/set", "90")
        #expect(close["code"] == "unknown_feature")
        #expect(close["message"]?.string?.hasPrefix("vibrat: did you mean vibrate? Allowed: ") == true)
        let bare = try bench.ask("belt/set", #"{"intensity":60}"#)
        #expect(bare["message"]?.string?.contains("did you mean belt/intensity/set?") == true)
        let form = try bench.ask("belt/intensity/set", "high")
        let line = "; for example: mosquitto_pub -t belt/intensity/set -m "
        #expect(form["message"]?.string?.contains(line) == true)
        let vibrate = try bench.ask("belt/vibrate/set", "soon")
        #expect(vibrate["message"]?.string?.hasSuffix("mosquitto_pub -t belt/vibrate/set -m 90") == true)
        #expect(try bench.ask("belt/heading_offset/set", "360")["status"] == "ok")
        try bench.watcher.expect("belt/heading_offset", "0")
        let health = try bench.ask("bridge/all/request/health_check", "")
        #expect(health["status"] == "ok" && health["bridge"] == "test")

        let robot = try RobotBench(power: false)
        try robot.bench.publish("robot/drvie/set", #"{"direction":90}"#)
        try robot.bench.watcher.expect("robot/result") {
            $0.json["message"]?.string?.hasPrefix("drvie: did you mean drive? ") == true
        }
        try robot.bench.publish("robot/set", "on")
        try robot.bench.watcher.expect("robot/result") { $0.json["feature"] == "set" }
    }

    @Test("A retained command is rejected, and rejected again after a restart of the bridge")
    func retained() throws {
        let bench = try Bench.withBelt()
        try bench.publish("belt/mode/set", "app", ["-r", "-V", "5"])
        try bench.watcher.expect("belt/result") { $0.json["code"] == "retained_command" }
        try bench.endBridge(with: 15)
        try bench.startBridge()
        try bench.watcher.expect("belt/result") { $0.json["code"] == "retained_command" }
        let mode = try #require(bench.watcher.seen.last { $0.topic == "belt/mode" })
        #expect(mode.payload != "app")
    }

    @Test("A command to a belt that is switched off is rejected at once")
    func offline() throws {
        let bench = try Bench.withBelt()
        try bench.act("belt standby")
        try bench.watcher.expect("belt/availability", "offline")
        let answer = try bench.ask("belt/intensity/set", "60")
        #expect(answer["code"] == "device_offline")
        #expect(try #require(answer["elapsed_ms"]?.integer ?? 0) < 100)
    }
}
