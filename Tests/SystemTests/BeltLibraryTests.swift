import HostTesting
import JSON
import Testing

@Suite("Further functions of the vendor's libraries, from a shell to the belt and back", .serialized)
struct BeltLibraryTests {
    private static let enterApp = "01 81 03 00"

    private func bench(_ configuration: String = "") throws -> (Bench, Program) {
        let bench = try Bench.withBelt(
            scenario: "devices: { belt: { choices: { wait_signal: off } } }", configuration: configuration)
        return (bench, try #require(bench.simulator))
    }

    private static func navigation(_ state: String, _ direction: String) -> String {
        #"{"state":"\#(state)","direction":\#(direction),"reference":"magnetic","signal":"navigating"}"#
    }

    @Test("stop clears the direction: start is rejected, and a direction alone does not start navigation")
    func navigationStop() throws {
        let (bench, belt) = try bench()
        let topic = "belt/navigation/set"
        #expect(try bench.ask(topic, "90")["status"] == "ok")
        try belt.expectMotors([4])
        #expect(try bench.ask(topic, "stop")["status"] == "ok")
        try bench.watcher.expect("belt/navigation", Self.navigation("stopped", "null"))
        try belt.expectMode("wait")
        let refused = try bench.ask(topic, "start")
        #expect(refused["code"] == "missing_field")
        #expect(refused["message"]?.string?.contains("0 to 360") == true)
        #expect(try bench.ask(topic, #"{"direction":180}"#)["status"] == "ok")
        try bench.watcher.expect("belt/navigation", Self.navigation("stopped", "180"))
        #expect(try bench.ask(topic, "start")["status"] == "ok")
        try belt.expectMotors([8])
    }

    @Test("Home Assistant's number sets a direction and does not start navigation")
    func homeAssistant() throws {
        let (bench, belt) = try bench()
        let connection = try #require(bench.watcher.seen.last { $0.topic == "belt/connection" })
        let address = try #require(connection.json["address"]?.string)
        let id = address.lowercased().replacing(":", with: "")
        let late = try bench.watchAnew()
        let announced = "homeassistant/device/tactile_bridge_\(id)/config"
        try late.expectAll([announced: nil], within: .seconds(30), fromStart: true)
        let message = try #require(late.seen.last { $0.topic == announced })
        let number = try #require(message.json.announcement?["components"]?["navigation_set_direction"])
        #expect(number["platform"] == "number")
        let template = try #require(number["command_template"]?.string)
        let payload = template.replacing("{{value}}", with: "45")
        #expect(payload == #"{"direction":45}"#)
        let answer = try bench.ask(try #require(number["command_topic"]?.string), payload)
        #expect(answer["status"] == "ok")
        try bench.watcher.expect("belt/navigation", Self.navigation("stopped", "45"))
        #expect(try bench.ask("belt/navigation/set", "start")["status"] == "ok")
        try belt.expectWrite("FE05", Self.enterApp)
        try belt.expectWrite("FE03", "02 01 AA AA 00 00 03 2D 00 00 00 00 F4 01 00 00 00 00")
    }

    @Test("A battery level and a signal of the libraries vibrate by their names")
    func vibrate() throws {
        let (bench, belt) = try bench()
        try bench.expectOK(
            "belt/vibrate/set",
            #"{"channel":0,"pattern":"battery_level_3","iterations":1,"period_ms":2000}"#)
        try belt.expectWrite("FE03", "00 0E AA AA 00 00 01 00 00 00 00 01 D0 07 00 00 00 00")
        try belt.expectMotors([0])
        try belt.expectMotors([3])
        try belt.expectMotors([])
        try bench.expectOK(
            "belt/vibrate/set",
            #"{"signal":"ongoing_turn","direction":90,"channel":2,"enter_app_mode":true}"#)
        try belt.expectWrite("FE03", "02 03 AA AA 00 00 02 5A 00 00 00 00 EE 02 00 00 00 00")
        try belt.expectMotors([4])
    }

    @Test("The commanded vibration is a retained state, which a stop clears")
    func commanded() throws {
        let (bench, belt) = try bench()
        func expect(_ motors: [Int: Int], channels: Int) throws {
            let strengths = JSON.Value.array((0..<16).map { .integer(motors[$0] ?? 0) })
            try bench.watcher.expect("belt/vibration") {
                $0.json["strengths"] == strengths && $0.json["channels"]?.array?.count == channels
            }
        }
        try expect([:], channels: 0)
        try bench.expectOK(
            "belt/vibrate/set", #"{"direction":90,"intensity":60,"enter_app_mode":true}"#)
        try belt.expectMotors([4])
        try expect([4: 60], channels: 1)
        let late = try bench.watchAnew()
        try late.expectAll(["belt/vibration": nil], within: .seconds(5), fromStart: true)
        try bench.expectOK("belt/stop/set", "all")
        try belt.expectMotors([])
        try expect([:], channels: 0)
    }

    @Test("The error log is an event; calibration and raw values are streams that are off by default")
    func diagnosis() throws {
        let (bench, belt) = try bench()
        let watcher = bench.watcher
        try bench.act("belt error 12345678")
        let answer = try bench.ask("belt/error_log/set", "")
        #expect(answer["status"] == "ok" && answer["entries"] == 1)
        try belt.expectWrite("FE13", "0B")
        let log = try watcher.expect("belt/error_log").json
        #expect(log["entries"]?.array?.first?["code"] == "0x12345678")
        #expect(log["seq"] != nil && log["time"] != nil)

        #expect(!watcher.seen.contains { ["belt/calibration", "belt/raw_values"].contains($0.topic) })
        #expect(try bench.ask("belt/calibration/set", "on")["status"] == "ok")
        try belt.expectWrite("FE05", "10 01 0D")
        try watcher.expect("belt/calibration") { $0.json["magnetometer_offsets"]?["x"]?.double == 12.5 }
        #expect(try bench.ask("belt/calibration/set", "off")["status"] == "ok")

        #expect(try bench.ask("belt/raw_values/set", "on")["status"] == "ok")
        try belt.expectWrite("FE0A", "01 01")
        try watcher.expect("belt/raw_values") { $0.json["records"]?.array?.count == 2 }
        // The streams are switched on again after a reconnect.
        try bench.act("drop belt")
        try watcher.expect("belt/availability", "offline")
        try watcher.expect("belt/raw_values", within: .seconds(20))
        #expect(try bench.ask("belt/raw_values/set", "off")["status"] == "ok")
    }

    @Test("Bytes are read and written if the configuration allows it, and a stop ends what they started")
    func expert() throws {
        let (bench, belt) = try bench("belt: { expert: true }\n")
        func ask(_ payload: String) throws -> JSON.Value { try bench.ask("belt/gatt/set", payload) }
        #expect(try ask(#"{"service":"FE51","characteristic":"FE01"}"#)["hex"] == "340000")
        let answer = try ask(#"{"characteristic":"FE05","hex":"01 02","answer_from":"FE06"}"#)
        #expect(answer["hex"] == "010232")
        #expect(try ask(#"{"characteristic":"2A19"}"#)["code"] == "invalid_value")
        #expect(try ask(#"{"characteristic":"FE05","hex":"12 01 00 00"}"#)["code"] == "missing_field")
        #expect(try ask(#"{"characteristic":"FE05","hex":"01 81 03"}"#)["status"] == "ok")
        try bench.watcher.expect("belt/mode", "app")
        let endless = "03 01 AA AA 00 00 02 5A 00 00 00 FF F4 01 00 00 00 00"
        #expect(try ask(#"{"characteristic":"FE03","hex":"\#(endless)"}"#)["status"] == "ok")
        try belt.expectWrite("FE03", endless)
        try belt.expectMotors([4])
        try bench.expectOK("belt/stop/set", "all")
        try belt.expectMotors([])
        #expect(try ask(#"{"characteristic":"FE03","hex":"\#(endless)"}"#)["status"] == "ok")
        try belt.expectMotors([4])
        #expect(try bench.endBridge(with: 15) == 0)
        try belt.expectMotors([])
    }

    @Test("Without expert in the configuration no byte is written, and the answer names what is allowed")
    func noExpert() throws {
        let (bench, _) = try bench()
        let answer = try bench.ask("belt/gatt/set", #"{"characteristic":"FE01"}"#)
        #expect(answer["code"] == "not_supported")
        #expect(answer["message"]?.string?.contains("expert: true") == true)
    }
}
