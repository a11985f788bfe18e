import Bluetooth
import DeviceFiles
import Testing

@Suite("Answers of a simulated device to the waits of its file")
struct WaitAnswerTests {
    private static func file(write: String, wait: String) throws -> DeviceFile {
        let text = Sample.text(
            features: """
                go:
                  summary: Goes.
                  command:
                    fields: { level: { type: integer, minimum: 0, maximum: 9 } }
                    write: { to: in, \(write), wait: { from: out, \(wait) } }
                """)
        return try DeviceFile.read(text, file: "probe.yaml").file
    }

    @Test("A packet can decode its own example", arguments: PacketRow.all)
    func example(_ row: PacketRow) throws {
        let text = Sample.text(packet: row.items, beside: row.beside, version: row.version)
        let file = try DeviceFile.read(text, file: "probe.yaml").file
        guard case .packet(let packet) = try #require(file.features.first?.report).sources[0].form else {
            return
        }
        let bytes = try #require(packet.example)
        #expect(throws: Never.self) { try packet.read(bytes) }
    }

    @Test(
        "Each kind of awaited packet is sent",
        arguments: [
            (#"packet: [ { _reply: u8, equals: 7 }, { code: u8 } ]"#, "0700"),
            (#"packet: [ { literal: "aa55" }, { state: u8, values: { 3: ready } } ]"#, "aa5503"),
            (#"packet: [ { level: u8, minimum: 5, maximum: 9 }, { rest: hex } ]"#, "05"),
            (#"packet: [ { ms: list, of: u16, count: 2 }, { _sum: u8 }, checksum: sum8 ]"#, "000000000000"),
        ])
    func packets(_ wait: String, _ expected: String) throws {
        let file = try Self.file(write: #"hex: "01""#, wait: wait)
        let answer = try #require(file.answer(to: [1], on: 1))
        #expect(answer.characteristic == 0 && Hex.string(answer.value) == expected)
    }

    @Test(
        "Only matching writes with fields are recognized",
        arguments: [
            (#"packet: [ { literal: "10" }, { level: u8 } ]"#, [0x10, 9], true),
            (#"packet: [ { literal: "10" }, { level: u8 } ]"#, [0x10], false),
            (#"packet: [ { literal: "10" }, { level: u8 } ]"#, [0x10, 9, 9], false),
            (#"packet: [ { level: u8 }, { now: unix32 } ]"#, [4, 1, 2, 3, 4], true),
            (#"text: "go {level}\n""#, Array("go 4\n".utf8), true),
            (#"text: "go {level}\n""#, Array("go 4".utf8), false),
            (#"text: "go {level}\n""#, Array("to 4\n".utf8), false),
            (#"text: "{level};{level}""#, Array("4;4".utf8), true),
        ] as [(String, [UInt8], Bool)])
    func writes(_ write: String, _ bytes: [UInt8], _ isAnswered: Bool) throws {
        let file = try Self.file(write: write, wait: "packet: [ { code: u8 } ]")
        #expect((file.answer(to: bytes, on: 1)?.value == [0]) == isAnswered)
    }
}
