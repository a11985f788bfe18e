import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Entities that a device file declares")
struct EntityTests {
    private static let command = """
        command:
          fields:
            power: { type: choice, values: [ "on", "off" ], required: false }
            color: { type: list, items: { type: integer, minimum: 0, maximum: 255 }, length: 3, required: false }
            level: { type: integer, minimum: 0, maximum: 100, default: 50 }
          write: { to: in, packet: [ { level: u8 } ] }
        """

    private func file(_ entity: String, _ more: String = command, report: String = "") throws -> DeviceFile {
        let text = Sample.text(
            features: "lamp:\n  summary: x\n  entity: \(entity)\n\(report.indented(2))\n\(more.indented(2))",
            version: 2)
        return try DeviceFile.read(text, file: "probe.yaml").file
    }

    private func presentations(_ entity: String, report: String = "") throws -> [Presentation] {
        FileFamily(try file(entity, report: report)).features[0].presentations
    }

    @Test("A light combines the fields that it names; the others keep their entities")
    func light() throws {
        let shown = try presentations("{ light: { power: power, rgb: color } }")
        #expect(
            shown.map(\.kind) == [
                .control(Control("level", state: Control.Source(field: "level"))),
                .light(Light(power: "power", rgb: "color")),
            ])
        #expect(shown.map(\.id) == ["set_level", "light"])
        let dimmed = try presentations("{ light: { power: power, brightness: level, full: 100 } }")
        #expect(dimmed.map(\.kind) == [.light(Light(power: "power", brightness: "level", full: 100))])
        let warm = try presentations("{ light: { power: power, color_temp: level, effect: power } }")
        #expect(
            warm.map(\.kind) == [.light(Light(power: "power", colorTemperature: "level", effect: "power"))])
    }

    @Test("The brightness of a color is a field of the command and of the report")
    func brightness() throws {
        let report = """
            kind: state
            from: out
            packet: [ { power: u8, values: { 1: "on", 0: "off" } }, { color: list, of: u8, count: 3 } ]
            """
        let file = try file("{ light: { power: power, rgb: color, brightness: of_rgb } }", report: report)
        let feature = FileFamily(file).features[0]
        #expect(feature.command?.fields.map(\.name) == ["power", "color", "level", "brightness"])
        let trial = try #require(Trial(file, notify: "out", [1, 10, 200, 30]))
        #expect(
            trial.publications.first?.value == ["power": "on", "color": [10, 200, 30], "brightness": 200])
    }

    @Test("A switch, a valve, a binary sensor, buttons and an event replace the usual entities")
    func others() throws {
        let toggle = try #require(try presentations("{ valve: power }").last)
        #expect(toggle.id == "valve")
        guard case .control(let control) = toggle.kind else { return #expect(Bool(false), "a control") }
        #expect(control.field == "power" && control.form == .valve)
        let report = """
            kind: state
            from: out
            packet: [ { door: u8, values: { 0: open, 1: shut } }, { charge: u8 } ]
            """
        let sensors = try presentations("{ binary_sensor: door }", report: report)
        #expect(sensors.filter { $0.kind == .reading(field: "door") }.map(\.isBinary) == [true])
        #expect(sensors.contains { $0.kind == .reading(field: "charge") })
        let buttons = try presentations(#"{ button: [ { power: "on" }, { level: 0 } ] }"#)
        #expect(buttons.map(\.kind) == [.action(payload: ["power": "on"]), .action(payload: ["level": 0])])
        #expect(buttons.map(\.title) == ["Lamp 1", "Lamp 2"])
        let event = """
            kind: event
            from: out
            packet: [ { side: u8, values: { 0: left, 1: right } }, { press: u8, values: { 0: short, 1: long } } ]
            """
        let happening = try presentations("{ event: press }", report: event)
        #expect(
            happening.filter { if case .happening = $0.kind { true } else { false } }.map(\.kind)
                == [.happening(fields: ["press"], verb: Presentation.anyEvent, bits: nil)])
    }
}
