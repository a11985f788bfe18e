import Bluetooth
import Testing
import VirtualDevices

@testable import tactile_simulator

@Suite("Reports of the simulator")
struct ReportTests {
    static let table: [(event: Report.Event, line: String)] = [
        (
            .write(CharacteristicID(service: 0xFE51, uuid: 0xFE03), [0x30, 0xFF]),
            #"{"device":"belt","event":"write","characteristic":"0000fe03-0000-1000-8000-00805f9b34fb","hex":"30ff","time":12.346}"#
        ),
        (
            .device(.feel([.init(motor: 4, intensity: 60)])),
            #"{"device":"belt","event":"feel","motors":[{"motor":4,"intensity":60}]}"#
        ),
        (.device(.feel([])), #"{"device":"belt","event":"feel","motors":[]}"#),
        (
            .device(.wheels(-101, -101, 101, 101)),
            #"{"device":"belt","event":"wheels","left_front":-101,"right_front":-101,"left_rear":101,"right_rear":101,"time":12.346}"#
        ),
        (.link(true), #"{"device":"belt","event":"link","connected":true}"#),
        (.device(.vibrate(true)), #"{"device":"belt","event":"vibrate","on":true,"time":12.346}"#),
        (
            .garbage(
                wanted: 3,
                sent: [
                    CharacteristicID(service: 0xFE52, uuid: 0xFE0B): 0,
                    CharacteristicID(service: 0xFE51, uuid: 0xFE02): 3,
                ]),
            #"{"device":"belt","event":"garbage","wanted":3,"sent":{"0000fe02-0000-1000-8000-00805f9b34fb":3,"0000fe0b-0000-1000-8000-00805f9b34fb":0},"time":12.346}"#
        ),
        (.error("what?"), #"{"device":"belt","event":"error","message":"what?"}"#),
        (
            .device(.other(event: "heading", ["heading": "90"])),
            #"{"device":"belt","event":"heading","heading":90,"time":12.346}"#
        ),
    ]

    @Test("Each is one line of JSON, as the users' contract writes it", arguments: table)
    func writes(event: Report.Event, line: String) {
        let report = Report(device: "belt", time: .microseconds(12_345_678), event: event)
        #expect(ReportLine.text(of: report) == line)
    }

    @Test("Between several hosts a link and a write name theirs")
    func namesHost() {
        let report = Report(device: "belt", host: "A", time: .zero, event: .link(false))
        let line = #"{"device":"belt","host":"A","event":"link","connected":false}"#
        #expect(ReportLine.text(of: report) == line)
    }

    @Test("An error of a line names no device")
    func writesError() {
        let report = Report(device: nil, time: .zero, event: .error("no device named 'x'"))
        #expect(ReportLine.text(of: report) == #"{"event":"error","message":"no device named 'x'"}"#)
    }

    @Test("The drawing shows what the wearer feels, and where north is")
    func draws() {
        var wearer = Wearer(name: "belt")
        let events: [Report.Event] = [
            .link(true), .device(.other(event: "mode", ["mode": "app"])),
            .device(.other(event: "heading", ["heading": "90"])),
            .device(.other(event: "battery", ["level": "42", "power": "charging"])),
            .device(.feel([.init(motor: 4, intensity: 60)])), .link(true),
        ]
        let news = events.map { wearer.take($0) }
        #expect(news == [true, true, true, true, true, false])
        let lines = RingDrawing(isColoured: false).lines(of: wearer)
        let text = lines.joined(separator: "\n")
        #expect(lines.count == RingDrawing.height)
        #expect(Set(lines.map(\.count)) == [RingDrawing.width])
        for part in [
            "belt", "connected", "app", "heading 90° E", "north is ←", "battery 42 %, charging", "[4]",
            "vibrates, 60 %",
        ] {
            #expect(text.contains(part))
        }
        #expect(lines[9].hasSuffix("[4]  "))
        #expect(!text.contains("[12]"))
    }

    @Test("Belts are rings, and below them every other device has a line")
    func drawsOthers() {
        var output = WearOutput(.standard)
        let events: [Report.Event] = [
            .link(true), .device(.other(event: "mode", ["mode": "controller"])), .device(.vibrate(true)),
        ]
        for event in events { output.show(Report(device: "tap", time: .zero, event: event)) }
        let rows = output.rows(columns: 80)
        #expect(rows.count == RingDrawing.height + Scenario.standard.devices.count - 1)
        #expect(rows[RingDrawing.height] == "tap: connected, controller, [vibrates]")
        output.show(Report(device: "tap", time: .zero, event: .device(.vibrate(false))))
        #expect(output.rows(columns: 80)[RingDrawing.height] == "tap: connected, controller, at rest")
        #expect(
            WearOutput(Scenario(devices: [Scenario.standard.devices[1]])).rows(columns: 9) == ["tap: no c"])
    }

    @Test("A robot's line has its wheels, its weapon and where it has driven to")
    func drawsRobot() {
        var wearer = Wearer(name: "robot", kind: "robot")
        let pose = ["x_mm": "3180", "y_mm": "-20", "heading": "90"]
        let events: [Report.Event] = [
            .link(true), .device(.wheels(101, -101, 101, -101)),
            .device(.other(event: "weapon", ["on": "true"])),
            .device(.other(event: "pose", pose)),
        ]
        let news = events.map { wearer.take($0) }
        #expect(news == [true, true, true, true])
        #expect(
            wearer.line == "robot: connected, wheels 101 -101 101 -101, weapon on, "
                + "3180 mm right and -20 mm ahead of its start, heading 90°")
    }

    @Test("The front is at the top and motors count clockwise; colours leave the picture as it is")
    func drawsRing() {
        let wearer = Wearer(name: "belt")
        let lines = RingDrawing(isColoured: false).lines(of: wearer)
        #expect(lines[1].contains("0"))
        #expect(lines[17].contains("8"))
        #expect(lines[9].hasPrefix("   12 "))
        let coloured = RingDrawing(isColoured: true).lines(of: wearer).map { line in
            line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        }
        #expect(coloured == lines)
    }
}
