import HostTesting
import JSON
import Testing

@Suite("The remaining belt commands, from a shell to the bytes", .serialized)
struct BeltCommandTests {
    /// A command, the bytes that reach the belt, and the resulting state on a topic.
    private struct Row {
        var feature: String
        var payload: String
        var characteristic: String
        var bytes: String
        var report: (topic: String, payload: String?)?

        init(
            _ feature: String, _ payload: String, _ characteristic: String, _ bytes: String,
            _ report: (topic: String, payload: String?)? = nil
        ) {
            self.feature = feature
            self.payload = payload
            self.characteristic = characteristic
            self.bytes = bytes
            self.report = report
        }
    }

    private static let beep = "01 03 30 00 30 05 0A 05"

    /// The order matters: the reset restores the parameters, and the new name closes the connection.
    private static let rows = [
        Row(
            "notify", #"{"kind":"direction","direction":90}"#, "FE03",
            "00 01 AA AA 00 00 03 5A 00 00 00 01 E8 03 00 00 00 00"),
        Row("notify", "warning", "FE03", "00 06 19 00 00 00 01 00 00 00 00 02 F4 01 00 00 01 00"),
        Row("notify", "critical_warning", "FE03", "00 03 AA AA 00 00 00 11 11 00 00 03 BC 02 00 00 01 00"),
        Row("notify", #"{"kind":"destination_reached","stop_navigation":true}"#, "FE03", "20 01"),
        Row("notify", "battery", "FE03", "20 02"),
        Row(
            "pulse",
            #"{"channel":0,"direction":90,"on_ms":150,"pulses":3,"iterations":1,"pulse_period_ms":500,"#
                + #""series_period_ms":1500,"timer":"reset"}"#,
            "FE03", "40 00 02 5A 00 AA 96 00 03 01 F4 01 DC 05 00 00 00"),
        Row("signal", "warning", "FE03", "20 00"),
        Row("signal", "destination_reached", "FE03", "20 01"),
        Row("signal", "battery", "FE03", "20 02"),
        Row("sound", "double_short_beep", "FE07", beep),
        Row(
            "sound", #"{"steps":[{"hz":1500,"ms":50},{"hz":0,"ms":100},{"hz":1500,"ms":50}]}"#, "FE07", beep),
        Row(
            "orientation", #"{"enabled":true,"period_ms":100}"#, "FE05", "11 0F 00 64 00",
            ("belt/orientation", nil)),
        Row("heading_offset", "300", "FE05", "11 01 00 2C 01", ("belt/heading_offset", "300")),
        Row("accuracy_signal", "off", "FE05", "11 03 00 00", ("belt/accuracy_signal", "off")),
        Row(
            "accuracy_signal", #"{"accuracy_signal":"compass","persist":true}"#, "FE05", "11 03 01 01",
            ("belt/accuracy_signal", "compass")),
        Row("pairing_required", "false", "FE05", "11 25 01 00", ("belt/pairing_required", "false")),
        Row("intensity", "60", "FE05", "01 82 3C 00 01", ("belt/intensity", "60")),
        Row(
            "reset", #"{"parameters":true,"confirm":true}"#, "FE05", "12 01 00 00", ("belt/intensity", "50")),
        Row(
            "mode", #"{"mode":"calibration","confirm":true}"#, "FE05", "01 81 05 00",
            ("belt/mode", "calibration")),
        Row("mode", "crossing", "FE05", "01 81 06 00", ("belt/mode", "crossing")),
        Row("device_name", "-test", "FE05", "01 84 2D 74 65 73 74", ("belt/availability", "offline")),
    ]

    @Test("Each command is acknowledged, reaches the belt as the documented bytes, and updates its topic")
    func commands() throws {
        let scenario = """
            devices:
              belt: { choices: { wait_signal: off, pairing: anytime } }
            """
        let bench = try Bench.withBelt(scenario: scenario)
        let belt = try #require(bench.simulator)
        try bench.watcher.expect("belt/pairing_required", "true")
        #expect(try bench.ask("belt/reset/set", #"{"parameters":true}"#)["code"] == "missing_field")
        #expect(try bench.ask("belt/mode/set", "calibration")["code"] == "missing_field")
        for row in Self.rows {
            let answer = try bench.ask("belt/\(row.feature)/set", row.payload)
            #expect(answer["status"] == "ok", "\(row.feature) \(row.payload): \(answer)")
            try belt.expectWrite(row.characteristic, row.bytes)
            guard let report = row.report else { continue }
            try bench.watcher.expect(report.topic) { report.payload == nil || $0.payload == report.payload }
        }
        try bench.watcher.expect("belt/availability", "online")
        let later = try bench.watchAnew()
        try later.expectAll(
            [
                "belt/heading_offset": "45", "belt/accuracy_signal": "both", "belt/pairing_required": "true",
                "belt/mode": "crossing", "belt/info": nil,
            ], within: .seconds(5), fromStart: true)
        let info = try #require(later.seen.last { $0.topic == "belt/info" }).json
        #expect(info["name"] == "naviGuertel-test")
    }
}
