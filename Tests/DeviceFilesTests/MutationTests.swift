import Bluetooth
import BridgeTesting
import DeviceFiles
import DeviceKit
import HostTesting
import JSON
import Testing

@Suite("Broken device files")
struct MutationTests {
    /// Words that a mutation puts somewhere.
    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "\n", "  ", "-", "0", "-1", "99999999999999999999", "u8", "f64",
        "list", "sum", "bits",
        "if", "remaining", "equals", "null", "*", "&a", "{levels}", "%", "0x", "minimum: 5", "maximum: 1",
        "scale: 0.1",
    ]

    @Test(
        "A broken file is refused or read, and what is read keeps the contract of families",
        arguments: 0..<8 as Range<UInt64>)
    func mutations(_ seed: UInt64) throws {
        let texts = [
            try Sample.text("buzz.yaml"),
            Sample.text(packet: [
                "{ _f: u8, bits: { wide: 0, m: { at: [1, 2], values: { 0: a, 1: b, 2: c, 3: d } } } }",
                "{ a: u16, if: { wide: true }, scale: 0.1, null_if: 0xffff, minimum: -5, maximum: 90 }",
                "{ s: sum, of: [ i8, { u8: 0.01 } ] }", "{ x: sfloat, round: 2 }",
                "{ l: list, of: [ { p: i8 }, { q: u8 } ], count: 2 }",
                "{ t: text, length: 4 }", "{ checksum: crc16_modbus, over: [0, 3] }",
            ]),
        ]
        var random = RandomSource(seed: seed)
        var readable = 0
        for round in 0..<250 {
            var text = Array(texts[round % 2].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text.remove(at: place)
                case 1: text[place] = UInt8.random(in: 0x20...0x7E, using: &random)
                default:
                    text.insert(
                        contentsOf: Array((Self.words.randomElement(using: &random) ?? "").utf8), at: place)
                }
            }
            guard let reading = try? DeviceFile.read(String(decoding: text, as: UTF8.self), file: "x.yaml")
            else { continue }
            readable += 1
            _ = ExampleRun(reading.file)
            let contract = DeviceFamilyContract(FileFamily(reading.file))
            #expect(contract.brokenBehaviour(seed: seed, steps: 60) == [])
        }
        #expect(readable > 0)
    }

    @Test("Whatever a device sends, what is published fits its declaration", arguments: PacketRow.all)
    func notifications(_ row: PacketRow) throws {
        let file = try DeviceFile.read(Sample.text(packet: row.items, beside: row.beside), file: "probe.yaml")
            .file
        let report = try #require(file.features.first?.report)
        var random = RandomSource(seed: 7)
        for _ in 0..<ShippedFiles.tries {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let values = try? report.sources[0].read(bytes) else { continue }
            for field in report.fields.map(\.field) {
                guard let value = values[field.name], value != .null else {
                    #expect(field.isNullable, "\(field.name) of \(bytes)")
                    continue
                }
                #expect((try? field.type.check(value, path: "")) != nil, "\(field.name) \(value) of \(bytes)")
            }
        }
    }
}
