import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Groups, and the stop of all devices", .serialized)
struct GroupTests {
    private static let configuration = """
        devices:
          belt: { family: belt, address: "C0:FF:EE:00:00:01" }
          hall/belt: { family: belt, address: "C0:FF:EE:00:00:02" }
        groups:
          wearers: [belt, hall/belt]
        """
    private static let scenario = """
        devices:
          belt: { kind: belt, address: "C0:FF:EE:00:00:01", address_type: random }
          other: { kind: belt, address: "C0:FF:EE:00:00:02", address_type: random }
        """

    private func withTwoBelts() throws -> Bench {
        let bench = try Bench.withBelt(scenario: Self.scenario, configuration: Self.configuration)
        try bench.watcher.expectAll(
            ["hall/belt/availability": "online"], within: .seconds(10), fromStart: true)
        return bench
    }

    @Test("A command to a configured group reaches both belts, and one answer reports both")
    func group() throws {
        let bench = try withTwoBelts()
        let answer = try bench.ask("wearers/intensity/set", "70")
        #expect(answer["status"] == "ok")
        #expect(answer["bridge"] == "test")
        #expect(answer["members"]?.array?.map { $0["device"] } == ["belt", "hall/belt"])
        try bench.watcher.expectAll(
            ["belt/intensity": "70", "hall/belt/intensity": "70"], within: .seconds(5))
        let bad = try bench.ask("all/belts/intensity/set", "400")
        #expect(bad["code"] == "out_of_range")
        try bench.publish("wearers/sing/set", "la")
        let refusal = try bench.watcher.expect("wearers/result").json
        #expect(refusal["code"] == "unknown_feature")
    }

    @Test("A belt that joined stays in its group after a rename over MQTT and after a restart")
    func renamed() throws {
        let bench = try Bench()
        let environment = ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"]
        try bench.startSimulator(scenario: "devices: { belt: { choices: { wait_signal: off } } }")
        try bench.startBridge(configuration: "groups: { wearers: [belt] }\n", environment: environment)
        try bench.watcher.expect("bridge/test/availability", "online")
        try bench.expectOK("bridge/test/request/permit_join", "60")
        try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
        try bench.expectOK("bridge/test/request/rename", #"{"device":"belt","to":"hall/belt"}"#)
        func expectMember(_ intensity: String) throws {
            try bench.watcher.expect("hall/belt/availability", "online", within: .seconds(30))
            let answer = try bench.ask("wearers/intensity/set", intensity)
            #expect(answer["members"]?.array?.map { $0["device"] } == ["hall/belt"], "\(answer)")
            try bench.watcher.expectAll(["hall/belt/intensity": intensity], within: .seconds(5))
        }
        try expectMember("70")
        try bench.endBridge(with: 15)
        try bench.watcher.expect("hall/belt/availability", "offline")
        try bench.startBridge(configuration: "groups: { wearers: [belt] }\n", environment: environment)
        try expectMember("75")
    }

    @Test("all/stop stops vibration and navigation and takes a compass belt to wait; retained it works too")
    func allStop() throws {
        let bench = try withTwoBelts()
        let simulator = try #require(bench.simulator)
        try bench.publish("belt/navigation/set", "90")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("hall/belt/mode/set", "compass")
        try bench.watcher.expect("hall/belt/mode", "compass")
        let answer = try bench.ask("all/stop/set", "{ this is no JSON")
        #expect(answer["status"] == "ok")
        #expect(answer["members"]?.array?.map { $0["status"] } == ["ok", "ok"])
        try bench.watcher.expectAll(
            ["belt/mode": "wait", "hall/belt/mode": "wait", "belt/navigation": nil], within: .seconds(5))
        let navigation = try #require(bench.watcher.seen.last { $0.topic == "belt/navigation" })
        #expect(navigation.json["state"] == "stopped")

        try bench.publish("hall/belt/mode/set", "compass")
        try bench.watcher.expect("hall/belt/mode", "compass")
        try bench.publish("all/stop/set", "", ["-r", "-V", "5"])
        try bench.publish("all/stop/set", "x", ["-r", "-V", "5"])
        try bench.watcher.expect("hall/belt/mode", "wait")
        // Vibration left by the test would appear in the simulator's next report.
        try simulator.expect("silence") { $0["event"] == "feel" && $0["motors"] == [] }
    }

    @Test(
        "A robot accepts only stops and switching off from a group; all/stop stops it together with a belt"
    )
    func robot() throws {
        let bench = try Bench.withBelt()
        let simulator = try #require(bench.simulator)
        try bench.watcher.expectAll(["robot/availability": "online"], within: .seconds(10), fromStart: true)
        for (topic, payload) in [("drive", #"{"direction":0,"speed":1}"#), ("power", "on"), ("weapon", "on")]
        {
            let answer = try bench.ask("all/robots/\(topic)/set", payload)
            #expect(answer["members"]?.array?.first?["code"] == "not_supported", "\(topic)")
        }
        try bench.expectOpenRobot()
        #expect(try bench.ask("robot/power/set", "on")["status"] == "ok")
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        let drive = #"{"direction":0,"speed":1,"duration_ms":2000}"#
        try bench.publish("robot/drive/set", drive)
        try simulator.expect("motion") { $0["event"] == "wheels" && $0["left_front"] != 0 }
        let answer = try bench.ask("all/stop/set", "x")
        #expect(answer["status"] == "ok")
        #expect(answer["members"]?.array?.count == 2)
        var open: Set<String> = ["wheels", "feel"]
        try simulator.expect("still wheels and a silent belt") { line in
            if line["event"] == "wheels", line["left_front"] == 0, line["right_rear"] == 0 {
                open.remove("wheels")
            }
            if line["event"] == "feel", line["motors"] == [] { open.remove("feel") }
            return open.isEmpty
        }
        try bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "all_stop" }
        #expect(try bench.ask("all/robots/power/set", "off")["status"] == "ok")
    }

    @Test("A belt's stop is executed although its payload is unreadable")
    func unreadableStop() throws {
        let bench = try Bench.withBelt()
        let simulator = try #require(bench.simulator)
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        try simulator.expectMotors([4])
        let answer = try bench.ask("belt/stop/set", #"{"channel":99}"#)
        #expect(answer["status"] == "ok")
        try simulator.expectMotors([])
    }
}
