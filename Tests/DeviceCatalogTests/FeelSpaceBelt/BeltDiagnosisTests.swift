import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The belt's error log, calibration and raw values")
struct BeltDiagnosisTests {
    // MARK: Error log

    @Test("The error log is requested, and published as an event when it is complete")
    func errorLog() {
        var bench = BeltBench.online()
        bench.command("error_log", "")
        #expect(bench.takeWrites() == ["FE13 0B"])
        bench.acknowledge()
        bench.notify(BeltGATT.debugOutput, "0B 07 00 02 02 00 00 00 03 00 00 00")
        bench.notify(BeltGATT.debugOutput, "0C 02 00 00 00 10 27 00 00 06 00 01")
        #expect(bench.take() == [])
        bench.notify(BeltGATT.debugOutput, "0C 03 00 00 00 10 27 00 00 07 00 00")
        #expect(
            bench.take() == [
                #"error_log = {"session":7,"first":"0x00000002","last":"0x00000003","entries":["#
                    + #"{"code":"0x00000002","time_ms":10000,"session":6},"#
                    + #"{"code":"0x00000003","time_ms":10000,"session":7}]}"#,
                #"#1 ok {"entries":2}"#,
            ])
        bench.advance(by: .seconds(10))
        #expect(bench.answers[1]?.count == 1)
    }

    @Test("An empty log is published immediately, even without a request")
    func emptyLog() {
        var bench = BeltBench.online()
        bench.notify(BeltGATT.debugOutput, "0B 01 00 00 00 00 00 00 00 00 00 00")
        #expect(bench.take() == [#"error_log = {"session":1,"first":null,"last":null,"entries":[]}"#])
        bench.notify(BeltGATT.debugOutput, "0C 02 00 00 00 10 27 00 00 07 00 00")
        #expect(bench.take() == [], "an entry without its log is nothing")
    }

    @Test("A missing or incomplete log times out 1.5 s after its last packet")
    func lateLog() {
        var bench = BeltBench.online()
        bench.command("error_log", "")
        bench.acknowledge()
        bench.advance(by: .milliseconds(1499))
        #expect(bench.answers[1] == nil)
        bench.notify(BeltGATT.debugOutput, "0B 07 00 02 02 00 00 00 03 00 00 00")
        bench.advance(by: .milliseconds(1499))
        #expect(bench.answers[1] == nil)
        bench.advance(by: .milliseconds(1))
        #expect(
            bench.answers[1] == [.failed(.timeout, "the belt sent 0 of the 2 entries of its error log")])
        bench.command("error_log", "")
        bench.complete(OperationError(.failed, "no"))
        #expect(bench.answers[2] == [.failed(.deviceError, "no")])
    }

    @Test("A newer request supersedes the older one; a lost link ends a request")
    func twoQuestions() {
        var bench = BeltBench.online()
        bench.command("error_log", "")
        bench.command("error_log", "")
        #expect(bench.answers[1] == [.superseded])
        bench.feed(.disconnected)
        #expect(bench.answers[2] == [.linkLost("belt")])
    }

    // MARK: Calibration

    private static let asked = ["FE05 10 01 0D", "FE05 10 01 0E", "FE05 10 01 10", "FE05 10 01 11"]
    private static let told = [
        "10 0D 00 00 48 41 00 00 40 C0 00 00 80 3E", "10 0E 00 00 80 3F 00 00 80 3F 00 00 80 3F",
        "10 10 CD CC CC 3D 00 00 00 00 00 00 00 00", "10 11 03",
    ]

    @Test("The calibration is requested when it is switched on, and after each period, until it is off")
    func calibration() {
        var bench = BeltBench.online()
        bench.advance(by: .seconds(60))
        #expect(bench.takeWrites() == [], "nobody asked for it")
        bench.command("calibration", #"{"period_ms":2000}"#)
        #expect(bench.takeWrites() == Self.asked)
        bench.acknowledge()
        for packet in Self.told { bench.notify(BeltGATT.parameterNotification, packet) }
        #expect(
            bench.take() == [
                #"calibration = {"magnetometer_offsets":{"x":12.5,"y":-3,"z":0.25},"#
                    + #""magnetometer_gains":{"x":1,"y":1,"z":1},"magnetometer_error":null,"#
                    + #""gyroscope_offsets":{"x":0.1,"y":0,"z":0},"gyroscope_status":3}"#,
                "#1 ok",
            ])
        bench.advance(by: .milliseconds(1999))
        #expect(bench.takeWrites() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.takeWrites() == Self.asked)
        bench.command("calibration", "off")
        bench.acknowledge()
        for packet in Self.told { bench.notify(BeltGATT.parameterNotification, packet) }
        bench.advance(by: .seconds(60))
        #expect(bench.take() == ["#2 ok"])
    }

    @Test("Firmware older than 52 is also asked for the magnetometer error; missing values are null")
    func olderFirmware() {
        var bench = BeltBench.online(firmware: 51)
        bench.command("calibration", "on")
        #expect(bench.takeWrites().contains("FE05 10 01 0F"))
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "10 0F 00 00 00 3F")
        bench.notify(BeltGATT.parameterNotification, "10 0D 00 00 C0 7F 00 00 40 C0 00 00 80 3E")
        bench.advance(by: .seconds(2))
        #expect(
            bench.take() == [
                #"calibration = {"magnetometer_offsets":null,"magnetometer_gains":null,"#
                    + #""magnetometer_error":0.5,"gyroscope_offsets":null,"gyroscope_status":null}"#,
                "#1 ok",
            ])
    }

    @Test("A belt that reports no calibration is not asked again")
    func noCalibration() {
        var bench = BeltBench.online()
        bench.command("calibration", "on")
        bench.acknowledge()
        bench.advance(by: .seconds(2))
        #expect(bench.take().last == "#1 not_supported")
        bench.advance(by: .seconds(60))
        #expect(bench.take() == [])
    }

    // MARK: Raw values

    @Test("Raw values are subscribed and started only when they are switched on")
    func rawValues() {
        var bench = BeltBench.online()
        bench.notify(BeltGATT.sensorData, "01 05 01 E8 03 18 FC 00 00")
        #expect(bench.take() == [], "nobody asked for them")
        bench.command("raw_values", "on")
        #expect(bench.take() == ["subscribe FE0B"])
        bench.complete()
        #expect(bench.takeWrites() == ["FE0A 01 01"])
        bench.acknowledge()
        #expect(bench.answers[1] == nil)
        bench.notify(BeltGATT.sensorData, "01 05 01 E8 03 18 FC 00 00")
        #expect(
            bench.take() == [
                #"raw_values = {"sequence":5,"records":[{"id":1,"x":1000,"y":-1000,"z":0}]}"#, "#1 ok",
            ])
        bench.command("raw_values", "off")
        #expect(bench.take() == ["unsubscribe FE0B", "#2 ok"])
        bench.notify(BeltGATT.sensorData, "01 06")
        #expect(bench.take() == [])
    }

    @Test("Active streams resume with the next link")
    func resumed() {
        var bench = BeltBench.online()
        bench.command("raw_values", "on")
        bench.acknowledge()
        bench.notify(BeltGATT.sensorData, "01 05")
        bench.command("calibration", "on")
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "10 11 03")
        bench.advance(by: .seconds(2))
        bench.feed(.disconnected)
        _ = bench.take()
        bench.connect()
        let lines = bench.take()
        #expect(lines.contains("subscribe FE0B"))
        #expect(lines.contains("> FE05 10 01 0D"))
        #expect(lines.contains("> FE0A 01 01"))
    }

    @Test("Without raw values, the command times out, and the stream is switched off")
    func noRawValues() {
        var bench = BeltBench.online()
        bench.command("raw_values", "on")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.take().suffix(2) == ["unsubscribe FE0B", "#1 timeout"])
        bench.feed(.disconnected)
        bench.connect()
        #expect(!bench.take().contains("subscribe FE0B"))
    }

    @Test(
        "A refusal names the missing characteristic",
        arguments: [
            ("error_log", BeltGATT.debugInput), ("error_log", BeltGATT.debugOutput),
            ("raw_values", BeltGATT.sensorCommand), ("raw_values", BeltGATT.sensorData),
        ])
    func missing(_ feature: String, _ characteristic: CharacteristicID) {
        var profile = BeltGATT.profile
        profile.characteristics[characteristic] = nil
        var bench = BeltBench.online(profile: profile)
        bench.command(feature, feature == "error_log" ? "" : "on")
        guard case .failed(let error)? = bench.answers[1]?.first else {
            Issue.record("\(feature) is taken")
            return
        }
        #expect(error.code == .notSupported && error.message.contains("\(characteristic)"))
    }
}
