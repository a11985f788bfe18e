import Bluetooth
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Features that a device lacks")
struct LackingTests {
    private static let text = Sample.text(
        features: """
            value:
              summary: A value.
              kind: state
              from: out
              packet: [ { a: u8 } ]
            both:
              summary: Two values.
              kind: state
              from: [out, in]
              packet: { out: [ { a: u8 } ], in: [ { b: u8 } ] }
            level:
              summary: A value that is set.
              kind: state
              from: out
              packet: [ { level: u8 } ]
              command:
                fields: { level: { type: integer } }
                write: { to: in, packet: [ { level: u8 } ] }
            echoed:
              summary: A value that nothing reports.
              echo: true
              command:
                fields: { level: { type: integer } }
                write: { to: in, packet: [ { level: u8 } ] }
            """
    ).replacing("setup: [ { subscribe: out } ]", with: "setup: [ { subscribe: out }, { subscribe: in } ]")
        .replacing("uuid: ff01", with: "uuid: ff01, optional: true")
        .replacing("uuid: ff02", with: "uuid: ff02, optional: true")

    @Test(
        "A feature lacks its report if all its characteristics are absent, and its command if any is absent",
        arguments: [
            ([], "nothing"),
            (["in"], #"lack {"reports":["echoed"],"commands":["echoed","level"]}"#),
            (["out"], #"lack {"reports":["level","value"],"commands":[]}"#),
            (
                ["in", "out"],
                #"lack {"reports":["both","echoed","level","value"],"commands":["echoed","level"]}"#
            ),
        ] as [([String], String)])
    func features(_ missing: [String], _ expected: String) throws {
        var bench = try MachineBench(Self.text)
        let effects = bench.connect(without: Set(missing))
        #expect(effects.first { $0.hasPrefix("lack") } ?? "nothing" == expected)
    }

    @Test("Each connection reports lacking features; without optional characteristics, there are none")
    func anew() throws {
        var family = FileFamily(try DeviceFile.read(Self.text, file: "probe.yaml").file)
        func lacks(_ names: Set<String>, _ machine: inout any DeviceMachine) -> [Lacking] {
            let there = family.file.characteristics.filter { !names.contains($0.name) }
            let table = Dictionary(
                there.map { ($0.id, [.read, .write, .notify] as CharacteristicProperties) }
            ) {
                first, _ in first
            }
            return machine.effects(of: .connected(LinkProfile(characteristics: table))).compactMap {
                if case .lack(let lacking) = $0 { lacking } else { nil }
            }
        }
        var machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF"))
        #expect(lacks(["out"], &machine) == [Lacking(reports: ["level", "value"])])
        #expect(lacks([], &machine) == [Lacking()])
        let plain = Self.text.replacing(", optional: true", with: "")
        family = FileFamily(try DeviceFile.read(plain, file: "probe.yaml").file)
        machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF"))
        #expect(lacks([], &machine) == [])
    }

    @Test("A device without its motor characteristic plays no pattern and reports the feature as lacking")
    func haptic() throws {
        let features = """
            motor:
              summary: The motor.
              lease_ms: 1000
              command:
                fields: { level: { type: integer, minimum: 0, maximum: 255 } }
                write: { to: in, packet: [ { level: u8 } ] }
            """
        let more = """
            stop: [ { to: out, hex: "00" } ]
            will: [ { to: out, hex: "00" } ]
            haptic: { feature: motor, field: level, scale: [0, 255] }
            """
        let text = Sample.text(features: features, more: more)
            .replacing("uuid: ff02", with: "uuid: ff02, optional: true")
        var bench = try MachineBench(text)
        #expect(
            bench.connect(without: ["in"]).first
                == #"lack {"reports":["haptic"],"commands":["haptic","motor"]}"#)
        #expect(bench.subscribed("out") == ["ready"])
        #expect(bench.connect() == ["subscribe out"])
        #expect(bench.subscribed("out") == ["ready", #"publish haptic {"playing":null}"#])
    }
}

@Suite("Lacking features as a value")
struct LackingValueTests {
    @Test("The value is unchanged after a restart")
    func json() {
        let lacking = Lacking(reports: ["b", "a"], commands: ["c"])
        #expect(Lacking(json: lacking.json) == lacking)
        #expect(Lacking().json == nil)
        #expect(Lacking(json: "x") == Lacking())
    }

    @Test("A feature without its report keeps its command, and a feature without both is removed")
    func reduction() {
        let feature = Feature(
            "led", "A light.", report: Report(.state, .boolean, example: true),
            command: Command([Field("led", .boolean, required: true, "On.")], example: true))
        #expect(Lacking().reduced(feature) == feature)
        #expect(Lacking(reports: ["led"]).reduced(feature)?.command != nil)
        #expect(Lacking(reports: ["led"]).reduced(feature)?.report == nil)
        #expect(Lacking(reports: ["led"], commands: ["led"]).reduced(feature) == nil)
        let (reading, action) = (Presentation.reading("A"), Presentation.action("B", sends: [:]))
        #expect(Lacking(commands: ["led"]).allows(reading, of: feature))
        #expect(!Lacking(commands: ["led"]).allows(action, of: feature))
        #expect(!Lacking(reports: ["led"]).allows(.control("C", of: Control("led")), of: feature))
    }
}
