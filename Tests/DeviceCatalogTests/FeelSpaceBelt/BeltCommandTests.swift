import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Commands are written with the correct bytes, and answered")
struct BeltCommandTests {
    /// The writes of a command to a belt in app mode.
    struct Row: Sendable, CustomTestStringConvertible {
        var feature: String
        var payload: String
        var writes: [String]
        init(_ feature: String, _ payload: String, _ writes: String...) {
            self.feature = feature
            self.payload = payload
            self.writes = writes
        }
        var testDescription: String { "\(feature) \(payload)" }
    }

    private static let acknowledged: [Row] = [
        Row("vibrate", "90", "FE03 01 01 AA AA 00 00 02 5A 00 00 00 00 F4 01 00 00 00 00"),
        Row("vibrate", "270", "FE03 01 01 AA AA 00 00 02 0E 01 00 00 00 F4 01 00 00 00 00"),
        Row("vibrate", "359.9", "FE03 01 01 AA AA 00 00 02 67 01 00 00 00 F4 01 00 00 00 00"),
        Row(
            "vibrate",
            #"{"channel":0,"pattern":"single_long","direction":270,"iterations":5,"period_ms":1000,"clear_others":true}"#,
            "FE03 00 03 AA AA 00 00 02 0E 01 00 00 05 E8 03 00 00 00 01"),
        Row(
            "vibrate",
            #"{"channel":0,"direction":90,"reference":"magnetic","iterations":1,"period_ms":3000,"clear_others":true}"#,
            "FE03 00 01 AA AA 00 00 03 5A 00 00 00 01 B8 0B 00 00 00 01"),
        Row(
            "vibrate",
            #"{"channel":0,"pattern":"single_short","motors":[0,8],"period_ms":750,"clear_others":true}"#,
            "FE03 00 02 AA AA 00 00 00 01 01 00 00 00 EE 02 00 00 00 01"),
        Row(
            "vibrate", #"{"motor":4,"intensity":60,"start_ms":1100,"exclusive":true}"#,
            "FE03 01 01 3C 00 00 00 01 04 00 00 00 00 F4 01 64 00 01 00"),
        Row(
            "vibrate", #"{"pattern":"destination_reached"}"#,
            "FE03 01 09 AA AA 00 00 01 00 00 00 00 00 F4 01 00 00 00 00"),
        Row("vibrate", #"{"direction":1,"channel":3,"intensity":0}"#, "FE03 30 03"),
        Row(
            "pulse",
            #"{"channel":0,"direction":90,"on_ms":150,"pulses":3,"iterations":1,"pulse_period_ms":500,"timer":"reset"}"#,
            "FE03 40 00 02 5A 00 AA 96 00 03 01 F4 01 DC 05 00 00 00"),
        Row("pulse", #"{"motors":[1,2]}"#, "FE03 40 01 00 06 00 AA 96 00 01 00 F4 01 F4 01 01 00 00"),
        Row("stop", "", "FE03 30 FF ahead"),
        Row("stop", "all", "FE03 30 FF ahead"),
        Row("stop", "{}", "FE03 30 FF ahead"),
        Row("stop", "2", "FE03 30 02 ahead"),
        Row("stop", #"{"channel":2}"#, "FE03 30 02 ahead"),
        Row("signal", "warning", "FE03 20 00"),
        Row("signal", #""destination_reached""#, "FE03 20 01"),
        Row("signal", #"{"signal":"battery"}"#, "FE03 20 02"),
        Row(
            "notify", #"{"kind":"direction","direction":90}"#,
            "FE03 00 01 AA AA 00 00 03 5A 00 00 00 01 E8 03 00 00 00 00"),
        Row(
            "notify", #"{"kind":"direction","direction":90,"reference":"belt"}"#,
            "FE03 00 01 AA AA 00 00 02 5A 00 00 00 01 E8 03 00 00 00 00"),
        Row("notify", "warning", "FE03 00 06 19 00 00 00 01 00 00 00 00 02 F4 01 00 00 01 00"),
        Row("notify", "critical_warning", "FE03 00 03 AA AA 00 00 00 11 11 00 00 03 BC 02 00 00 01 00"),
        Row("notify", "destination_reached", "FE03 20 01"),
        Row("notify", "battery", "FE03 20 02"),
        Row("sound", "double_short_beep", "FE07 01 03 30 00 30 05 0A 05"),
        Row("sound", #"{"steps":[{"hz":1500,"ms":50},{"hz":0,"ms":100}]}"#, "FE07 01 02 30 00 05 0A"),
        Row("device_name", "-test", "FE05 01 84 2D 74 65 73 74"),
        Row("device_name", "42", "FE05 01 84 34 32"),
        Row(
            "reset", #"{"parameters":false,"sensors":true,"confirm":true}"#, "FE05 12 00 00 01"),
        Row("reset", #"{"bluetooth":true,"confirm":true}"#, "FE05 12 00 01 00"),
        Row(
            "reset", #"{"confirm":true}"#, "FE05 12 01 00 00", "FE05 01 02", "FE05 01 03", "FE05 10 01 03",
            "FE05 10 01 25"),
    ]

    @Test("A command is answered when the belt acknowledges it, and not earlier", arguments: acknowledged)
    func acknowledge(_ row: Row) {
        var bench = BeltBench.connected(mode: .app)
        bench.notify(mode: .wait)
        bench.command("mode", "app")
        bench.notify(mode: .app)
        bench.acknowledge()
        _ = bench.take()
        bench.command(row.feature, row.payload)
        #expect(bench.answers[2] == nil)
        #expect(bench.takeWrites() == row.writes)
        bench.complete()
        #expect(bench.take().first == "#2 ok")
    }

    /// Commands with their write and the notification that confirms them.
    private static let confirmed: [(String, String, String, String)] = [
        ("mode", "app", "FE05 01 81 03 00", "01 01 03"),
        ("mode", "pause", "FE05 01 81 04 00", "01 01 04"),
        ("mode", "crossing", "FE05 01 81 06 00", "01 01 06"),
        ("mode", #"{"mode":"calibration","confirm":true}"#, "FE05 01 81 05 00", "01 01 05"),
        ("intensity", #"{"intensity":50,"feedback":true}"#, "FE05 01 82 32 00 01", "01 02 32"),
        ("intensity", #"{"intensity":50,"feedback":false}"#, "FE05 01 82 32 00 00", "10 00 32"),
        ("intensity", "60", "FE05 01 82 3C 00 01", "01 02 3C"),
        ("heading_offset", #"{"heading_offset":45,"persist":true}"#, "FE05 11 01 01 2D 00", "10 01 2D 00"),
        ("heading_offset", "300", "FE05 11 01 00 2C 01", "01 03 2C 01"),
        ("heading_offset", "360", "FE05 11 01 00 00 00", "01 03 00 00"),
        ("accuracy_signal", "off", "FE05 11 03 00 00", "10 03 00"),
        ("accuracy_signal", #"{"accuracy_signal":"both","persist":true}"#, "FE05 11 03 01 03", "10 03 03"),
        ("accuracy_signal", "compass", "FE05 11 03 00 01", "10 03 01"),
        ("pairing_required", "false", "FE05 11 25 01 00", "10 25 00"),
        ("pairing_required", #"{"pairing_required":"on","persist":false}"#, "FE05 11 25 00 01", "10 25 01"),
    ]

    @Test("A change is answered when the belt confirms it", arguments: confirmed)
    func confirm(_ feature: String, _ payload: String, _ write: String, _ notification: String) {
        var bench = BeltBench.online()
        bench.command(feature, payload)
        #expect(bench.takeWrites() == [write])
        bench.acknowledge()
        #expect(bench.answers[1] == nil)
        bench.notify(BeltGATT.parameterNotification, notification)
        #expect(bench.answers[1] == [.ok])
        bench.advance(by: .seconds(60))
        #expect(bench.answers[1]?.count == 1)
    }

    @Test("The confirmation can arrive before the acknowledgment", arguments: confirmed)
    func confirmedEarly(_ feature: String, _ payload: String, _ write: String, _ notification: String) {
        var bench = BeltBench.connected()
        bench.command(feature, payload)
        bench.notify(BeltGATT.parameterNotification, notification)
        #expect(bench.answers[1] == nil)
        bench.acknowledge()
        #expect(bench.answers[1] == [.ok])
    }

    @Test("A change without confirmation within 1 s times out", arguments: confirmed)
    func unconfirmed(_ feature: String, _ payload: String, _ write: String, _ notification: String) {
        var bench = BeltBench.connected()
        bench.command(feature, payload)
        bench.acknowledge()
        bench.advance(by: .milliseconds(999))
        #expect(bench.answers[1] == nil)
        bench.advance(by: .milliseconds(1))
        #expect(bench.take().last == "#1 timeout")
        bench.notify(BeltGATT.parameterNotification, notification)
        #expect(bench.answers[1]?.count == 1)
    }

    @Test("A value that the belt adjusted is part of the answer")
    func adjusted() {
        var bench = BeltBench.connected()
        bench.command("intensity", "60")
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 02 37")
        #expect(bench.answers[1] == [.ok(["adjusted": 55])])
    }

    @Test("If the belt is already in the mode, the acknowledgment confirms it")
    func sameMode() {
        var bench = BeltBench.connected(mode: .compass)
        bench.command("mode", "compass")
        bench.acknowledge()
        #expect(bench.answers[1] == [.ok])
    }

    @Test("Firmware without persistence gets the basic request for its heading offset (C08)")
    func basicHeadingOffset() {
        var bench = BeltBench.online(firmware: 40)
        bench.command("heading_offset", "300")
        #expect(bench.takeWrites() == ["FE05 01 83 2C 01"])
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 03 2C 01")
        #expect(bench.answers[1] == [.ok])
    }
}
