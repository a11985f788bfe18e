import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Notifications of the belt are published")
struct BeltStatusTests {
    private func published(_ characteristic: CharacteristicID, _ hex: String, _ settings: Arguments = [:])
        -> [String]
    {
        var bench = BeltBench.online(settings)
        bench.notify(characteristic, hex)
        return bench.take()
    }

    @Test(
        "Parameters and battery are published",
        arguments: [
            (BeltGATT.parameterNotification, "01 02 37", "intensity = 55"),
            (BeltGATT.parameterNotification, "10 00 37", "intensity = 55"),
            (BeltGATT.parameterNotification, "10 01 67 01", "heading_offset = 359"),
            (BeltGATT.parameterNotification, "10 03 02", #"accuracy_signal = "app""#),
            (BeltGATT.parameterNotification, "10 25 01", "pairing_required = true"),
            (BeltGATT.parameterNotification, "01 01 06", #"mode = "crossing""#),
            (
                BeltGATT.battery, "02 00 64 80 02 F4 01 68 10",
                #"battery = {"level":100,"power":"charging","remaining_s":3600,"current_ma":500,"voltage_mv":4200}"#
            ),
            (
                BeltGATT.battery, "01 80 4B 00 12",
                #"battery = {"level":75.5,"power":"battery","remaining_s":25920,"current_ma":null,"voltage_mv":null}"#
            ),
        ])
    func notification(_ characteristic: CharacteristicID, _ hex: String, _ line: String) {
        #expect(published(characteristic, hex) == [line])
    }

    @Test("Orientation is published with headings from 0 to 359 and unknown sensors as null (N17, N18)")
    func orientation() {
        #expect(
            published(BeltGATT.orientation, "02 5A 00 2D 00 FE FF 0A 00 05 00 03 03 03 03 00") == [
                #"orientation = {"heading":90,"box_heading":45,"roll":-2,"pitch":10,"accuracy":5,"accurate":true,"#
                    + #""sensors":{"magnetometer":3,"accelerometer":3,"gyroscope":3,"fusion":3}}"#
            ])
        #expect(
            published(BeltGATT.orientation, "02 A6 FF 79 FF FE FF 0A 00 2D 00 00 03 FF 01 01") == [
                #"orientation = {"heading":270,"box_heading":225,"roll":-2,"pitch":10,"accuracy":45,"#
                    + #""accurate":false,"sensors":{"magnetometer":0,"accelerometer":3,"gyroscope":null,"fusion":1}}"#
            ])
    }

    @Test("Orientation from a source other than the fusion is ignored")
    func otherSource() {
        #expect(published(BeltGATT.orientation, "01 5A 00 2D 00 FE FF 0A 00 05 00 03 03 03 03 00") == [])
    }

    @Test("A heading with a small change is not published, also across north")
    func minimumChange() {
        var bench = BeltBench.connected(["orientation_min_change": 10])
        var headings: [Int?] = []
        for heading in [Int16(355), 359, 5, 12, -5, 4] {
            _ = bench.take()
            bench.feed(.notification(BeltGATT.orientation, BeltOrientationReading(heading: heading).bytes))
            headings.append(bench.take().isEmpty ? nil : Int(heading))
        }
        #expect(headings == [355, nil, 5, nil, -5, nil])
    }

    @Test("Orientation is subscribed only if it is enabled by a setting or a command")
    func enable() {
        var bench = BeltBench.connected(["orientation": false])
        #expect(!bench.take().contains("subscribe FE0C"))
        bench.command("orientation", "on")
        #expect(bench.take() == ["subscribe FE0C"])
        bench.acknowledge()
        #expect(bench.take() == ["#1 ok"])
        bench.command("orientation", "true")
        #expect(bench.take() == ["#2 ok"])
        bench.command("orientation", "off")
        #expect(bench.take() == ["unsubscribe FE0C", "#3 ok"])
    }

    @Test("Notifications are paused while the period is changed, as in pybelt")
    func period() {
        var bench = BeltBench.online()
        bench.command("orientation", #"{"period_ms":100}"#)
        #expect(bench.take() == ["unsubscribe FE0C", "> FE05 11 0F 00 64 00"])
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "10 0F 64 00")
        #expect(bench.take() == ["subscribe FE0C"])
        bench.acknowledge()
        #expect(bench.answers[1] == [.ok])
    }

    @Test("A period without confirmation times out, and notifications continue")
    func periodTimeout() {
        var bench = BeltBench.connected()
        bench.command("orientation", #"{"period_ms":100}"#)
        bench.acknowledge()
        _ = bench.take()
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["#1 timeout", "subscribe FE0C"])
    }

    @Test("A configured period is written on every connection, if the firmware supports it")
    func configuredPeriod() {
        var bench = BeltBench.connected(["orientation_period_ms": 100])
        #expect(bench.takeWrites().last == "FE05 11 0F 00 64 00")
        var old = BeltBench.connected(["orientation_period_ms": 100], firmware: 51)
        #expect(old.takeWrites().last == "FE05 10 01 25")
    }

    @Test("A period from an earlier client is corrected once, not repeatedly")
    func keptPeriod() {
        var bench = BeltBench.connected()
        #expect(bench.takeWrites().last == "FE05 10 01 0F")
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "10 0F 64 00")
        #expect(bench.take() == ["unsubscribe FE0C", "> FE05 11 0F 00 F4 01"])
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "10 0F 90 01")
        #expect(bench.take() == ["subscribe FE0C"])
        bench.acknowledge()
        bench.command("orientation", "on")
        #expect(bench.take() == ["unsubscribe FE0C", "> FE05 11 0F 00 F4 01"])
    }

    @Test(
        "A correct period, or firmware with another meaning of the parameter, changes nothing",
        arguments: ["10 0F F4 01", "10 0F 00 00 80 3F"])
    func rightPeriod(_ answer: String) {
        var bench = BeltBench.connected()
        bench.acknowledge()
        _ = bench.take()
        bench.notify(BeltGATT.parameterNotification, answer)
        #expect(bench.take() == [])
    }

    @Test("The mode of a belt without a link is unknown, from the start and after each link")
    func absent() {
        func modes(_ bench: inout BeltBench) -> [String] { bench.take().filter { $0.hasPrefix("mode = ") } }
        var bench = BeltBench()
        bench.tell(.searching)
        #expect(modes(&bench) == [#"mode = "unknown""#])
        bench.connect(mode: .compass)
        #expect(modes(&bench) == [#"mode = "compass""#])
        bench.tell(.connected)
        #expect(modes(&bench) == [])
        bench.feed(.disconnected)
        #expect(modes(&bench) == [#"mode = "unknown""#])
        bench.connect(mode: .compass)
        #expect(modes(&bench) == [#"mode = "compass""#])
        bench.feed(.close)
        #expect(modes(&bench) == [#"mode = "unknown""#])
    }

    @Test("A mode is published once, however it is notified")
    func mode() {
        var bench = BeltBench.online()
        bench.notify(BeltGATT.button, "03 01 00 01 02")
        bench.notify(mode: .compass)
        bench.notify(BeltGATT.keepAlive, "01 02")
        #expect(
            bench.take().filter { !$0.hasPrefix(">") } == [
                #"button = {"button":"compass","press":"short","previous_mode":"wait","mode":"compass"}"#,
                #"mode = "compass""#,
            ])
    }
}
