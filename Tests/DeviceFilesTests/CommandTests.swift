import Bluetooth
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Commands of devices with a device file")
struct CommandTests {
    private static func bench(
        _ features: String, more: String = "", settings: Arguments = [:], mtu: Int = 23,
        properties: CharacteristicProperties = [.read, .write, .notify]
    ) throws -> MachineBench {
        var bench = try MachineBench(Sample.text(features: features, more: more), settings: settings)
        _ = bench.connect(properties: properties, mtu: mtu)
        _ = bench.subscribed("out")
        return bench
    }

    private static func feature(_ write: String, _ more: String = "", name: String = "led") -> String {
        """
        \(name):
          summary: A lamp.
          \(more.indented(2).trimmed)
          command:
            fields: { level: { type: integer, minimum: 0, maximum: 255 } }
            shorthand: level
            write: \(write)
        """
    }

    @Test(
        "A generated example is accepted by the writes of its command",
        arguments: [
            ("data: { type: text, length: [2, 40] }", "[ { data: hex } ]", #"{"data":"01"}"#),
            ("data: { type: text, length: [3, 40] }", "[ { data: base64 } ]", #"{"data":"0101"}"#),
            ("data: { type: text }", "[ { data: text, length: 3 } ]", #"{"data":""}"#),
            (
                "data: { type: list, items: { type: integer }, length: [0, 9] }",
                "[ { data: list, of: u8, count: 2 } ]",
                #"{"data":[0,0]}"#
            ),
            (
                "data: { type: number }", "[ { data: u8, scale: 10, minimum: 50, maximum: 100 } ]",
                #"{"data":50}"#
            ),
            ("data: { type: text }", "[ { data: text } ]", #"{"data":"hello"}"#),
        ])
    func examples(_ field: String, _ packet: String, _ example: String) throws {
        let text = Sample.text(fields: field, write: "{ to: in, packet: \(packet) }")
        let command = try #require(try DeviceFile.read(text, file: "probe.yaml").file.features.first?.command)
        #expect(command.example.description == example)
        let values = try #require(command.example.object)
        guard case .packet(let packet) = command.steps[0].content else { return }
        #expect(throws: Never.self) { try packet.write(values) }
    }

    private static let plain = "{ to: in, packet: [ { level: u8 } ] }"

    @Test("A command is answered when its write is acknowledged, and the next command waits for it")
    func plain() throws {
        var bench = try Self.bench(Self.feature(Self.plain))
        #expect(bench.command("led", "5") == ["write in 05"])
        #expect(bench.command("led", "6") == [])
        #expect(bench.written() == ["answer 1 ok", "write in 06"])
        #expect(bench.written(OperationError(.failed, "no")) == ["answer 2 device_error"])
        #expect(bench.command("led", "256") == ["refused out_of_range"])
    }

    @Test("A write is made without response where the file or the device requires it")
    func kinds() throws {
        var bench = try Self.bench(Self.feature("{ to: in, packet: [ { level: u8 } ], with: command }"))
        #expect(bench.command("led", "5") == ["write in 05 command"])
        var other = try Self.bench(Self.feature(Self.plain), properties: [.writeWithoutResponse, .notify])
        #expect(other.command("led", "5") == ["write in 05 command"])
    }

    @Test("Of several waiting \"latest\" commands, only the newest is written")
    func latest() throws {
        var bench = try Self.bench(Self.feature(Self.plain, "latest: true"))
        #expect(bench.command("led", "5") == ["write in 05"])
        #expect(bench.command("led", "6") == [])
        #expect(bench.command("led", "7") == [#"answer 2 ok {"superseded":true}"#])
        #expect(bench.written() == ["answer 1 ok", "write in 07"])
    }

    @Test("A pace sets the minimum interval between commands")
    func pace() throws {
        var bench = try Self.bench(Self.feature(Self.plain, "pace_ms: 100"))
        bench.showsTimers = true
        #expect(bench.command("led", "5") == ["write in 05"])
        #expect(bench.written() == ["answer 1 ok"])
        #expect(bench.command("led", "6") == ["timer lane.1 100"])
        #expect(bench.timer("lane.1", after: .milliseconds(100)) == ["write in 06"])
    }

    @Test("At most 64 commands wait")
    func limit() throws {
        var bench = try Self.bench(Self.feature(Self.plain))
        for _ in 0..<65 { _ = bench.command("led", "5") }
        #expect(bench.command("led", "5") == ["answer 66 busy"])
    }

    @Test("A lease ends with its own writes or with the stop")
    func lease() throws {
        var bench = try Self.bench(Self.feature(Self.plain, "lease_ms: 500\nend: { to: in, hex: 00 }"))
        bench.showsTimers = true
        #expect(bench.command("led", "5") == ["timer lease.0 500", "write in 05"])
        #expect(bench.written() == ["answer 1 ok"])
        #expect(
            bench.timer("lease.0", after: .milliseconds(500)) == ["count lease_ended", "write in 00 ahead"])
        var other = try Self.bench(
            Self.feature(Self.plain, "lease_ms: 500"), more: "stop: { to: in, hex: ff }")
        _ = other.command("led", "5")
        _ = other.written()
        #expect(
            other.timer("lease.0", after: .milliseconds(500)) == ["count lease_ended", "write in ff stop"])
    }

    @Test("A command waits for the device's text, regardless of how notifications split it")
    func waiting() throws {
        var bench = try Self.bench(
            Self.feature(
                #"{ to: in, packet: [ { level: u8 } ], wait: { from: out, contains: "OK", within_ms: 300 } }"#
            ))
        bench.showsTimers = true
        #expect(bench.command("led", "5") == ["write in 05"])
        #expect(bench.notify("out", text: "..O") == [])
        #expect(bench.written() == ["timer wait.1 300"])
        #expect(bench.notify("out", text: "K") == ["cancel wait.1", "answer 1 ok"])
        #expect(bench.command("led", "6") == ["write in 06"])
        #expect(bench.notify("out", text: "OK") == [])
        #expect(bench.written() == ["answer 2 ok"])
        #expect(bench.command("led", "7") == ["write in 07"])
        #expect(bench.written() == ["timer wait.1 300"])
        #expect(bench.timer("wait.1", after: .milliseconds(300)) == ["answer 3 timeout"])
    }

    @Test(
        "A wait is met by bytes, by a packet, or by any notification",
        arguments: [
            (#"hex: "02..01""#, "000205", "01"), ("packet: [ { _k: u8, equals: 7 } ]", "06", "0701"),
            ("within_ms: 100", nil, "00"),
        ] as [(String, String?, String)])
    func targets(_ target: String, _ other: String?, _ met: String) throws {
        var bench = try Self.bench(
            Self.feature("{ to: in, packet: [ { level: u8 } ], wait: { from: out, \(target) } }"))
        _ = bench.command("led", "5")
        #expect(bench.written() == [])
        if let other { #expect(bench.notify("out", other) == []) }
        #expect(bench.notify("out", met) == ["answer 1 ok"])
    }

    @Test("A line that matches the failure pattern becomes the device's error")
    func refusal() throws {
        var bench = try Self.bench(
            Self.feature(
                #"{ to: in, packet: [ { level: u8 } ], wait: { from: out, contains: "OK", fail: "ERR*" } }"#))
        _ = bench.command("led", "5")
        _ = bench.written()
        #expect(bench.notify("out", text: "hm\r\nERR 7\r\n") == ["answer 1 device_error"])
        #expect(bench.command("led", "6") == ["write in 06"])
    }

    @Test("A value that is read back must equal the written value")
    func readBack() throws {
        var bench = try Self.bench(Self.feature("{ to: in, packet: [ { level: u8 } ], read_back: true }"))
        _ = bench.command("led", "5")
        #expect(bench.written() == ["read in"])
        #expect(bench.read("in", "05") == ["answer 1 ok"])
        _ = bench.command("led", "6")
        _ = bench.written()
        #expect(bench.read("in", "05") == ["answer 2 device_error"])
    }

    @Test("Steps run in sequence, with pauses, in accordance with their conditions")
    func steps() throws {
        var bench = try Self.bench(
            Self.feature(
                "[ { to: in, hex: 01, wait_ms: 50 }, { to: in, hex: 02, if: { level: 0 } }, { to: in, hex: 03, if: { level: { at_least: 1 } } } ]"
            ))
        bench.showsTimers = true
        #expect(bench.command("led", "5") == ["write in 01"])
        #expect(bench.written() == ["timer pause.1 50"])
        #expect(bench.timer("pause.1", after: .milliseconds(50)) == ["write in 03"])
        #expect(bench.written() == ["answer 1 ok"])
    }

    @Test("A write that exceeds the MTU is rejected, unless it may be split")
    func split() throws {
        var bench = try Self.bench(Self.feature("{ to: in, packet: [ { level: u8 }, { pad: 21 } ] }"))
        #expect(bench.command("led", "5") == ["answer 1 out_of_range"])
        var other = try Self.bench(
            Self.feature("{ to: in, packet: [ { level: u8 }, { pad: 21 } ], split: true }"))
        #expect(
            other.command("led", "5") == ["write in 05\(String(repeating: "00", count: 19))", "write in 00"])
        #expect(other.written() == [])
        #expect(other.written() == ["answer 1 ok"])
        var wide = try Self.bench(Self.feature("{ to: in, packet: [ { level: u8 }, { pad: 21 } ] }"), mtu: 24)
        #expect(wide.command("led", "5").count == 1)
    }

    @Test("An echo publishes the acknowledged fields")
    func echo() throws {
        var bench = try Self.bench(Self.feature(Self.plain, "echo: true"))
        _ = bench.command("led", "5")
        #expect(bench.written() == ["publish led 5", "answer 1 ok"])
        _ = bench.command("led", "6")
        #expect(bench.written(OperationError(.failed, "no")) == ["answer 2 device_error"])
    }

    @Test("A command that is hard to undo requires confirmation")
    func confirmation() throws {
        var bench = try Self.bench(Self.feature(Self.plain, "confirm: true"))
        #expect(bench.command("led", "5") == ["refused missing_field"])
        #expect(bench.command("led", #"{"level":5,"confirm":true}"#) == ["write in 05"])
    }

    @Test("A packet contains the calendar time")
    func time() throws {
        var bench = try Self.bench(Self.feature("{ to: in, packet: [ { now: unix32 }, { level: u8 } ] }"))
        _ = bench.timer("nothing", after: .seconds(4))
        #expect(bench.command("led", "5") == ["write in 04b9556905"])
    }

    @Test("A text can contain a setting")
    func settings() throws {
        let more = "settings: { pin: { type: text, default: \"0000\", secret: true } }"
        var bench = try Self.bench(
            Self.feature(#"{ to: in, text: "{settings.pin}:{level}" }"#), more: more, settings: ["pin": "12"])
        #expect(bench.command("led", "5") == ["write in 31323a35"])
        #expect(bench.family.settings.map(\.name) == ["pin"])
    }

    @Test("A feature with an absent characteristic is not supported, and a disconnected device is offline")
    func absence() throws {
        let text = Sample.text(features: Self.feature(Self.plain)).replacing(
            "uuid: ff02", with: "uuid: ff02, optional: true")
        var bench = try MachineBench(text)
        #expect(bench.command("led", "5") == ["answer 1 device_offline"])
        _ = bench.connect(without: ["in"])
        _ = bench.subscribed("out")
        #expect(bench.command("led", "5") == ["answer 2 not_supported"])
    }

    @Test("A lost connection answers all waiting commands")
    func lost() throws {
        var bench = try Self.bench(Self.feature(Self.plain))
        _ = bench.command("led", "5")
        _ = bench.command("led", "6")
        #expect(bench.send(.disconnected) == ["answer 1 device_offline", "answer 2 device_offline"])
        #expect(bench.written() == [])
    }

    @Test(
        "A device that requires a bond is bonded",
        arguments: [("never", "answer 1 device_error"), ("if_asked", "fail pairingRequired")])
    func bonding(_ word: String, _ last: String) throws {
        var bench = try Self.bench(Self.feature(Self.plain), more: "bonding: \(word)")
        _ = bench.command("led", "5")
        #expect(bench.written(OperationError(.notPermitted, "no")).last == last)
    }
}

extension String {
    /// The text without leading spaces.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
