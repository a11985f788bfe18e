import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("A TAP, from the simulator to the shell and back", .serialized)
struct TapTests {
    /// The TAP of the default scenario, as a keyboard that the system has bonded.
    private static let scenario = """
        devices:
          tap: { bonded: true, address: "D7:A9:E0:8C:17:6E" }
        """
    private static let name = "tap/8c176e"

    /// Starts the simulator and the bridge, and waits until the TAP is in its mode.
    private func withTap(
        _ scenario: String = TapTests.scenario, configuration: String = "",
        environment: [String: String] = [:]
    ) throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator(scenario: scenario)
        try bench.startBridge(configuration: configuration, environment: environment)
        try bench.watcher.expectAll(
            ["\(Self.name)/availability": "online", "\(Self.name)/input_mode": nil], within: .seconds(15))
        return bench
    }

    @Test("A bonded TAP reports its identity, and taps arrive with their fingers")
    func tapped() throws {
        let bench = try withTap()
        try bench.act("tap 5")
        let message = try bench.watcher.expect("\(Self.name)/tapped")
        #expect(message.json["fingers"] == ["thumb", "middle"])
        #expect(message.json["combination"] == 5)
        #expect(message.json["seq"] == 1)
        #expect(!message.isRetained)
        try bench.act("tap mouse 12 -3")
        try bench.watcher.expect("\(Self.name)/moused") {
            $0.json["velocity_x"] == 12 && $0.json["velocity_y"] == -3
        }
        try bench.act("tap gesture 2")
        try bench.watcher.expect("\(Self.name)/gesture") { $0.json["gesture"] == "one_finger_up" }
        try bench.act("tap air-mouse on")
        try bench.watcher.expect("\(Self.name)/air_mouse", "true")
        try bench.act("tap 4")
        try bench.watcher.expect("\(Self.name)/gesture") { $0.json["gesture"] == "middle_to_thumb" }

        let later = try bench.watchAnew()
        try later.expectAll(
            [
                "\(Self.name)/info": nil, "\(Self.name)/battery": #"{"level":87}"#,
                "\(Self.name)/device_name": "Tap_SIM", "\(Self.name)/input_mode": "controller",
            ], within: .seconds(5), fromStart: true)
        let info = try #require(later.seen.last { $0.topic == "\(Self.name)/info" }).json
        #expect(info["model"] == "Tap Strap 2")
        #expect(info["hardware"] == "3.3.0")
        #expect(info["firmware"] == "2.4.5")
        #expect(info["serial"]?.string?.isEmpty == false)
        #expect(!later.seen.contains { $0.topic.hasSuffix("/tapped") }, "taps are not retained")
    }

    @Test("The battery is published even where BlueZ claims battery and device information itself")
    func claimedServices() throws {
        let scenario =
            Self.scenario + """

                bluez: { claimed_services: [180A, 180F] }
                """
        let bench = try withTap(scenario)
        try bench.watcher.expectAll(
            ["\(Self.name)/battery": #"{"level":87}"#], within: .seconds(10), fromStart: true)
        try bench.act("tap battery 42")
        try bench.watcher.expect("\(Self.name)/battery", #"{"level":42}"#)
        try bench.act("tap 5")
        try bench.watcher.expect("\(Self.name)/tapped")
        // Unknown versions do not prevent commands.
        #expect(try bench.ask("\(Self.name)/vibrate/set", "[10]")["status"] == "ok")
    }

    @Test("Taps are not in the log, and not on topics of a private TAP; gestures are")
    func privacy() throws {
        let configuration = """
            devices:
              tap/left: { family: tap, address: "D7:A9:E0:8C:17:6E", publish_taps: false }
            """
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        let bridge = try bench.startBridge(configuration: configuration)
        try bench.watcher.expectAll(
            ["tap/left/availability": "online", "tap/left/input_mode": "controller"], within: .seconds(15))
        for combination in 1...31 { try bench.act("tap \(combination)") }
        try bench.act("tap gesture 2")
        try bench.watcher.expect("tap/left/gesture")
        #expect(!bench.watcher.seen.contains { $0.topic.contains("tapped") })
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        while let line = bridge.nextLine(within: .seconds(1)) {
            // The description of the features contains the feature's name.
            if line.contains("topic=tap/left/features") { continue }
            for word in ["tapped", "combination", "c3ff0005"] { #expect(!line.contains(word), "\(line)") }
        }
    }

    @Test("A new TAP joins only by its address, is bonded, and gets its topics")
    func joining() throws {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                devices:
                  tap: { address: "D7:A9:E0:8C:17:6E", choices: { model: xr } }
                """)
        try bench.startBridge(environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"])
        try bench.watcher.expect("bridge/test/availability", "online", within: .seconds(15))
        // A keyboard does not join in a window without an address; the bridge publishes its address and advice.
        try bench.publish("bridge/test/request/permit_join", #"{"seconds":60}"#)
        try bench.watcher.expect("bridge/test/event", within: .seconds(15)) {
            $0.json["event"] == "device_discovered" && $0.json["address"] == "D7:A9:E0:8C:17:6E"
                && $0.json["advice"]?.string?.hasSuffix(
                    "mosquitto_pub -t bridge/test/request/permit_join -m D7:A9:E0:8C:17:6E"
                ) == true
        }
        try bench.watcher.expect("homeassistant/device/tactile_bridge_bridge_test/config", fromStart: true) {
            $0.json.announcement?["components"]?["permit_join_start"]?["name"]?.string?
                .contains("D7:A9:E0:8C:17:6E") == true
        }
        try bench.publish(
            "bridge/test/request/permit_join", #"{"seconds":60,"address":"D7:A9:E0:8C:17:6E"}"#)
        try bench.watcher.expect("bridge/test/event", within: .seconds(15)) {
            $0.json["event"] == "device_joined"
        }
        try bench.watcher.expect("\(Self.name)/availability", "online", within: .seconds(20))
        try bench.watcher.expect("\(Self.name)/xr_state", "user_control")
        #expect(try bench.ask("\(Self.name)/xr_state/set", "air_mouse")["status"] == "ok")
        let answer = try bench.ask("\(Self.name)/input_mode/set", "controller_mouse_hid")
        #expect(answer["code"] == "not_supported")
        #expect(answer["message"]?.string?.contains("hardware 4.4 and firmware 3.5.24") == true)
    }

    @Test("A rhythm from a shell is felt: two pulses of 500 ms with a pause of 100 ms")
    func vibration() throws {
        let bench = try withTap()
        let tap = try #require(bench.simulator)
        try bench.publish("\(Self.name)/vibrate/set", "[500,100,500]")
        try bench.watcher.expect("\(Self.name)/result") { $0.json["status"] == "ok" }
        let times = try [true, false, true, false].map { isOn in
            try #require(
                try tap.expect("vibration \(isOn)") {
                    $0["event"] == "vibrate" && $0["on"] == .bool(isOn)
                }["time"]?.double)
        }
        let lengths = zip(times, times.dropFirst()).map { $1 - $0 }
        for (length, wanted) in zip(lengths, [0.5, 0.1, 0.5]) { #expect(abs(length - wanted) < 0.05) }
        #expect(try bench.ask("all/taps/vibrate/set", "[100]")["status"] == "ok")
        try tap.expect("the group's pulse") { $0["event"] == "vibrate" && $0["on"] == true }
        let refused = try bench.ask("\(Self.name)/vibrate/set", "[5]")
        #expect(refused["code"] == "out_of_range")
        #expect(refused["message"] == "durations_ms[0]: a whole number 10...2550, got 5")
    }

    @Test("The mode is written every ten seconds; without writes a TAP types after its timeout")
    func refresh() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        let guardian = try bench.startBridge().expectGuardian()
        try bench.watcher.expect("\(Self.name)/input_mode", within: .seconds(15))
        let tap = try #require(bench.simulator)
        var times: [Double] = []
        for _ in 0..<3 {
            let write = try tap.expect("a refresh", within: .seconds(15)) {
                $0["event"] == "write" && $0["hex"] == "030c0001"
            }
            times.append(try #require(write["time"]?.double))
        }
        // The first write sets the mode, ten seconds before the second.
        for (one, next) in zip(times, times.dropFirst()) { #expect(abs(next - one - 10) < 0.5) }
        guardian.signal(SIGKILL)
        try bench.endBridge(with: SIGKILL)
        let text = try tap.expect("text mode", within: .seconds(30)) {
            $0["event"] == "mode" && $0["mode"] == "text"
        }
        let delay = try #require(text["time"]?.double) - (times.last ?? 0)
        print("text mode \(delay) s after the last refresh, because of \(text["because"]?.string ?? "?")")
        #expect(delay < 21)
        #expect(text["because"] != "command")
    }

    @Test("After kill -9 the guardian lets the TAP type at once, and leaves its connection to the system")
    func killed() throws {
        let bench = try withTap()
        let tap = try #require(bench.simulator)
        try tap.expect("controller mode") { $0["event"] == "mode" && $0["mode"] == "controller" }
        let start = EventLoop.now
        try bench.endBridge(with: SIGKILL)
        let text = try tap.expect("text mode", within: .seconds(2)) {
            $0["event"] == "mode" && $0["mode"] == "text"
        }
        print("kill -9: text mode after \(EventLoop.now - start)")
        #expect(text["because"] == "command")
        while let line = tap.nextLine(within: .seconds(1)) {
            let value = try JSON.Value(parsing: line.utf8)
            #expect(value["event"] != "link" || value["connected"] != false)
        }
    }

    @Test("After kill -TERM the TAP types at once, and its connection stays with the system")
    func termination() throws {
        let bench = try withTap()
        let tap = try #require(bench.simulator)
        try tap.expect("controller mode") { $0["event"] == "mode" && $0["mode"] == "controller" }
        let start = EventLoop.now
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        let text = try tap.expect("text mode", within: .seconds(1)) {
            $0["event"] == "mode" && $0["mode"] == "text"
        }
        #expect(text["because"] == "command")
        print("orderly end after \(EventLoop.now - start)")
        try bench.startBridge()
        try bench.watcher.expectAll(
            ["\(Self.name)/availability": "online", "\(Self.name)/input_mode": nil], within: .seconds(15))
    }

    @Test("Two TAPs have their own topics; after a reconnect a TAP has its former mode")
    func several() throws {
        let scenario = """
            devices:
              left: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:01" }
              right: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:02", choices: { model: xr } }
            """
        let bench = try Bench()
        try bench.startSimulator(scenario: scenario)
        try bench.startBridge()
        try bench.watcher.expectAll(
            ["tap/8c1701/input_mode": "controller", "tap/8c1702/input_mode": "controller"],
            within: .seconds(20))
        #expect(try bench.ask("tap/8c1701/input_mode/set", "raw")["status"] == "ok")
        try bench.act("right 3")
        try bench.watcher.expect("tap/8c1702/tapped")
        try bench.watcher.expect("tap/8c1701/raw")
        try bench.act("drop left")
        try bench.watcher.expect("tap/8c1701/availability", "offline")
        try bench.watcher.expect("tap/8c1701/availability", "online", within: .seconds(20))
        try bench.watcher.expect("tap/8c1701/raw")
        #expect(!bench.watcher.seen.contains { $0.topic == "tap/8c1702/raw" })
    }
}
