import DeviceKit
import JSON
import Testing
import VirtualDevices

@testable import DeviceCatalog

@Suite("The family with the virtual belt: error log, calibration, raw values, battery levels")
struct VirtualBeltDiagnosisTests {
    @Test("The log contains the errors that occurred")
    func errorLog() {
        var couple = BeltCouple.connected()
        couple.act("error 2")
        couple.act("error 1234abcd")
        couple.command("error_log", "")
        #expect(couple.answers[1] == .ok(["entries": 2]))
        let entries = couple.reports["error_log"]?["entries"]?.array ?? []
        #expect(entries.map { $0["code"] } == ["0x00000002", "0x1234abcd"])
        #expect(couple.rejected.isEmpty)
    }

    @Test(
        "The calibration is reported, with the magnetometer error on firmware older than 52",
        arguments: [51, 52] as [UInt8])
    func calibration(firmware: UInt8) {
        var couple = BeltCouple.connected { $0.firmware = [firmware, 0, 0] }
        couple.command("calibration", "on", run: .seconds(1))
        #expect(couple.answers[1] == .ok)
        let told = couple.reports["calibration"]
        #expect(told?["magnetometer_offsets"]?["x"]?.double == 12.5)
        #expect(told?["magnetometer_error"] == (firmware < 52 ? 0.5 : .null))
        #expect(couple.rejected.isEmpty)
    }

    @Test("If the firmware does not report a calibration, the command is refused")
    func noCalibration() {
        var couple = BeltCouple.connected { $0.tellsCalibration = false }
        couple.command("calibration", "on", run: .seconds(3))
        guard case .failed(let error)? = couple.answers[1] else {
            Issue.record("it is taken")
            return
        }
        #expect(error.code == .notSupported)
    }

    @Test("Raw values arrive until they are switched off")
    func rawValues() {
        var couple = BeltCouple.connected()
        couple.command("raw_values", "on", run: .seconds(1))
        #expect(couple.answers[1] == .ok)
        #expect(couple.reports["raw_values"]?["records"]?.array?.count == 2)
        couple.command("raw_values", "off")
        let last = couple.reports["raw_values"]
        couple.run(.seconds(1))
        #expect(couple.reports["raw_values"] == last)
    }

    @Test("Each higher battery level uses more motors")
    func batteryLevels() {
        var couple = BeltCouple.connected()
        couple.command("mode", "app")
        for level in [0, 3, 13] {
            couple.command("stop", "all")
            let before = couple.feelings.count
            couple.command(
                "vibrate", #"{"pattern":"battery_level_\#(level)","iterations":1,"period_ms":2000}"#,
                run: .seconds(2))
            #expect(Set(couple.feelings[before...].flatMap { $0 }) == Set(0...level))
        }
        #expect(couple.rejected.isEmpty)
    }

    @Test("After a stop, start shows nothing; a direction alone does not start navigation")
    func navigation() {
        var couple = BeltCouple.connected()
        couple.command("navigation", "90")
        couple.command("navigation", "stop")
        couple.command("navigation", "start")
        couple.command("navigation", #"{"direction":180}"#)
        #expect(couple.mode == "wait" && couple.felt == [] && couple.navigation == "stopped")
        couple.command("navigation", "start")
        #expect(couple.mode == "app" && couple.felt == [8])
    }
}
