import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("A TAP with the framed protocol, from the simulator to the shell and back", .serialized)
struct TapFramedTests {
    private static let name = "tap/8c176e"

    /// Starts the simulator and the bridge, and waits until the TAP has reported its sensors.
    private func withTap(_ choices: String = "framed: only", configuration: String = "") throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                devices:
                  tap: { bonded: true, address: "D7:A9:E0:8C:17:6E", choices: { model: xr, \(choices) } }
                """)
        try bench.startBridge(configuration: configuration)
        try bench.watcher.expectAll(
            [
                "\(Self.name)/availability": "online", "\(Self.name)/sensing": nil,
                "\(Self.name)/sensitivity": #"{"gyro":3,"accelerometer":2}"#, "\(Self.name)/standby": "false",
            ], within: .seconds(15))
        return bench
    }

    @Test(
        "A TAP reports its identity, taps, motion, gestures and standby, with or without the classic protocol",
        arguments: ["only", "beside"])
    func events(_ framed: String) throws {
        let bench = try withTap("framed: \(framed)")
        try bench.act("tap 5")
        try bench.watcher.expect("\(Self.name)/tapped") {
            $0.json["fingers"] == ["thumb", "middle"] && $0.json["shift"] == .null && !$0.isRetained
        }
        try bench.act("tap mouse 12 -3 angles 10 20 30")
        try bench.watcher.expect("\(Self.name)/moused") {
            $0.json["velocity_x"] == 12 && $0.json["roll"] == 10 && $0.json["pitch"] == 20
                && $0.json["yaw"] == 30
        }
        for (code, gesture) in ["none", "left", "right", "up", "down", "thumb_index"].enumerated() {
            try bench.act("tap gesture \(gesture)")
            try bench.watcher.expect("\(Self.name)/air_gesture") {
                $0.json["gesture"] == .string(gesture) && $0.json["code"] == .integer(100 + code)
            }
        }
        #expect(try bench.ask("\(Self.name)/sensing/set", #"{"standby_gesture":true}"#)["status"] == "ok")
        try bench.act("tap standby on")
        try bench.watcher.expect("\(Self.name)/standby", "true")
        #expect(try bench.ask("\(Self.name)/standby/set", "false")["status"] == "ok")
        try bench.watcher.expect("\(Self.name)/standby", "false")
        let later = try bench.watchAnew()
        try later.expectAll(["\(Self.name)/info": nil], within: .seconds(5), fromStart: true)
        let info = try #require(later.seen.last { $0.topic == "\(Self.name)/info" }).json
        #expect(info["bootloader"] == "012" && info["model_version"] == "42")
        #expect(info["second_firmware"] == "1.0.0" && info["model"] == "TapXR")
    }

    @Test("Sensors are set topic by topic, and a missing one is rejected with the list of available ones")
    func commands() throws {
        let bench = try withTap()
        let tap = try #require(bench.simulator)
        let vision = #"{"vision_mode":"stream","vision_model":"air_gesture"}"#
        #expect(try bench.ask("\(Self.name)/sensing/set", vision)["status"] == "ok")
        try bench.watcher.expect("\(Self.name)/sensing") {
            $0.json["vision_mode"] == "stream" && $0.json["vision_model"] == "air_gesture"
                && $0.json["detection"] == true
        }
        let ranges = #"{"gyro":5,"accelerometer":4}"#
        #expect(try bench.ask("\(Self.name)/sensitivity/set", ranges)["status"] == "ok")
        try bench.watcher.expect("\(Self.name)/sensitivity", ranges)
        #expect(try bench.ask("\(Self.name)/sensing/set", #"{"raw":true}"#)["status"] == "ok")
        try bench.watcher.expect("\(Self.name)/raw") { $0.json["type"] == "imu" && $0.json["gyro"] != nil }
        #expect(try bench.ask("\(Self.name)/sensing/set", #"{"raw":false}"#)["status"] == "ok")
        #expect(try bench.ask("\(Self.name)/vibrate/set", "[500,100,500]")["status"] == "ok")
        try tap.expect("vibration") { $0["event"] == "vibrate" && $0["on"] == true }
        let refused = try bench.ask("\(Self.name)/input_mode/set", "raw")
        #expect(refused["code"] == "not_supported")
        #expect(refused["message"]?.string?.contains("sensing") == true)
        let features = try bench.watchAnew().expect("\(Self.name)/features", fromStart: true).json
        #expect(features["sensing"] != nil && features["input_mode"] == nil && features["keyboard"] == nil)
        #expect(try bench.ask("\(Self.name)/sensing/set", "{}")["status"] == "error")
        // An unknown frame is counted.
        try bench.act("tap send frame 04 00 00 00 01")
        try bench.watcher.expect("bridge/test/stats", within: .seconds(70)) { message in
            message.payload.contains(#""unknown_frames":1"#)
        }
    }

    @Test("After a reconnect the sensor settings are restored; the bridge's exit or kill disables them")
    func ends() throws {
        let bench = try withTap()
        let tap = try #require(bench.simulator)
        #expect(try bench.ask("\(Self.name)/sensing/set", #"{"motion":false}"#)["status"] == "ok")
        try bench.act("drop tap")
        try tap.expect("the link is lost") { $0["event"] == "link" && $0["connected"] == false }
        try bench.watcher.expect("\(Self.name)/availability", "offline")
        try bench.watcher.expect("\(Self.name)/availability", "online", within: .seconds(20))
        try tap.expect("taps are sensed again", within: .seconds(10)) {
            $0["event"] == "switch" && $0["feature"] == "detection" && $0["on"] == "true"
        }
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        try tap.expect("the bridge switches off", within: .seconds(2)) {
            $0["event"] == "switch" && $0["feature"] == "detection" && $0["because"] == "command"
        }
        try bench.startBridge()
        try tap.expect("taps are sensed by the next bridge", within: .seconds(15)) {
            $0["event"] == "switch" && $0["feature"] == "detection" && $0["on"] == "true"
        }
        try bench.watcher.expect("\(Self.name)/sensing", within: .seconds(15))
        try bench.endBridge(with: SIGKILL)
        try tap.expect("the guardian switches off", within: .seconds(3)) {
            $0["event"] == "switch" && $0["feature"] == "detection" && $0["because"] == "command"
        }
    }

    @Test(
        "The classic protocol: configured state, shift without a tap, taps with the air mouse on, ranges"
    )
    func classic() throws {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                devices:
                  tap: { bonded: true, address: "D7:A9:E0:8C:17:6E", choices: { model: xr, mouse_angles: true } }
                """)
        try bench.startBridge(
            configuration: """
                tap: { default_xr_state: tapping }
                devices:
                  tap/left: { family: tap, address: "D7:A9:E0:8C:17:6E", default_xr_state: air_mouse }
                """)
        let name = "tap/left"
        try bench.watcher.expectAll(
            ["\(name)/availability": "online", "\(name)/xr_state": "air_mouse", "\(name)/air_mouse": "true"],
            within: .seconds(15))
        try bench.act("tap 1")
        try bench.watcher.expect("\(name)/tapped") { $0.json["combination"] == 1 }
        try bench.act("tap shift locked")
        try bench.watcher.expect("\(name)/keyboard") {
            $0.json["shift"] == "locked" && $0.json["switch"] == false && !$0.isRetained
        }
        try bench.act("tap mouse 7 8 angles 1 2 3")
        try bench.watcher.expect("\(name)/moused") { $0.json["roll"] == 1 && $0.json["yaw"] == 3 }
        try bench.act("tap hand thumb-index 10")
        try bench.watcher.expect("\(name)/pointer") {
            $0.json["action"] == "press" && $0.json["finger"] == "index"
        }
        try bench.watcher.expect("\(name)/pointer") { $0.json["action"] == "drag" }
        try bench.act("tap hand open 10")
        try bench.watcher.expect("\(name)/pointer") { $0.json["action"] == "drop" }
        #expect(try bench.ask("\(name)/input_mode/set", "controller_full_hid")["status"] == "ok")
        #expect(try bench.ask("\(name)/sensitivity/set", #"{"gyro":5}"#)["code"] == "wrong_mode")
        let mode = #"{"mode":"raw","sensitivity":{"gyro":2,"accelerometer":3}}"#
        #expect(try bench.ask("\(name)/input_mode/set", mode)["status"] == "ok")
        try bench.watcher.expect("\(name)/sensitivity", #"{"fingers":0,"gyro":2,"accelerometer":3}"#)
        #expect(try bench.ask("\(name)/sensitivity/set", #"{"gyro":5}"#)["status"] == "ok")
        try bench.watcher.expect("\(name)/sensitivity", #"{"fingers":0,"gyro":5,"accelerometer":3}"#)
        #expect(try bench.ask("\(name)/input_mode/set", "controller")["status"] == "ok")
        try bench.watcher.expect("\(name)/sensitivity", "")
        let refused = try bench.ask("\(name)/sensing/set", #"{"raw":true}"#)
        #expect(refused["code"] == "not_supported")
        #expect(refused["message"]?.string?.contains("input_mode") == true)
        let features = try bench.watchAnew().expect("\(name)/features", fromStart: true).json
        #expect(features["input_mode"] != nil && features["sensing"] == nil && features["sensitivity"] != nil)
    }
}
