import Bluetooth
import BridgeTesting
import DeviceFiles
import DeviceKit
import HostTesting
import JSON
import Testing

@Suite("Mutated device files")
struct MutationTests {
    /// The words that mutations insert.
    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "'", "\n", "  ", "- ", "0", "-1", "0xFFFFFFFFFFFFFFFF",
        "99999999999999999999", "u8", "u64", "f64", "list", "sum", "bits", "text", "rest", "if", "remaining",
        "equals", "null", "*", "&a ", "*a", "<<: ", "{text}", "{settings.a}", "%", "minimum: 5", "maximum: 1",
        "tagged", "length: _n", "times: 8", "partial: true", "answers: false", "scale: 0.1", "scale: 1e-40",
        "bits:", "count: 512", "length: 512", "every:", "will:", "\u{1B}[2J",
        "\u{0}", "\u{2028}",
    ]

    /// The shipped files, and samples that use the features that these files do not use.
    private static let originals = Result { () throws -> [(String, String, every: Int)] in
        try ShippedFiles.names.get().map { ($0, try ShippedFiles.text($0), every: 20) } + [
            ("buzz.yaml", try Sample.text("buzz.yaml"), every: 1),
            ("constructs.yaml", try Sample.text("constructs.yaml"), every: 5),
            ("power.yaml", try Sample.text("power.yaml"), every: 20),
            ("scale.yaml", try Sample.text("scale.yaml"), every: 20),
            ("trainer.yaml", try Sample.text("trainer.yaml"), every: 20),
            (
                "a packet",
                Sample.text(packet: [
                    "{ _f: u8, bits: { wide: 0, m: { at: [1, 2], values: { 0: a, 1: b, 2: c, 3: d } } } }",
                    "{ a: u16, if: { wide: true }, scale: 0.1, null_if: 0xffff, minimum: -5, maximum: 90 }",
                    "{ s: sum, of: [ i8, { u8: 0.01 } ] }", "{ x: sfloat, round: 2 }",
                    "{ l: list, of: [ { p: i8 }, { q: u8 } ], count: 2 }",
                    "{ t: text, length: 4 }", "{ checksum: crc16_modbus, over: [0, 3] }",
                ]), every: 1
            ),
        ]
    }

    /// The CPU time limit for reading, which is about a hundred times the time for a whole file.
    private static let limit: Duration = {
        #if DEBUG
        .seconds(10)
        #else
        .seconds(1)
        #endif
    }()

    /// The number of mutations of a file of this size in bytes: ten thousand in optimized builds.
    private static func tries(_ size: Int) -> Int {
        #if DEBUG
        min(ShippedFiles.tries, 2_000_000 / size)
        #else
        ShippedFiles.tries
        #endif
    }

    @Test(
        "Each mutation is read or rejected with a location in limited time, and valid files meet the contract",
        arguments: try originals.get())
    func mutations(_ name: String, _ text: String, every stride: Int) throws {
        let original = Array(text.utf8)
        var random = RandomSource(seed: UInt64(original.count))
        var (readable, longest) = (0, Duration.zero)
        let tries = Self.tries(original.count)
        for round in 0..<tries {
            let text = Self.mutant(of: original, &random)
            let begin = computingTime()
            let result = Result { () throws(DeviceFileError) in try DeviceFile.read(text, file: "x.yaml") }
            longest = max(longest, computingTime() - begin)
            switch result {
            case .failure(let error):
                #expect(!error.problems.isEmpty)
                for problem in error.problems.map(\.description) {
                    #expect(problem.hasPrefix("x.yaml:"), "\(problem)")
                    let isPrintable = !problem.unicodeScalars.contains { $0.isControl }
                    #expect(isPrintable, "\(problem.debugDescription)")
                }
            case .success(let reading):
                readable += 1
                // Most mutations of a shipped file affect comments and summaries, so only some of them are run.
                guard readable % stride == 0 else { continue }
                _ = ExampleRun(reading.file)
                let contract = DeviceFamilyContract(FileFamily(reading.file))
                #expect(contract.brokenBehaviour(seed: UInt64(round), steps: 30) == [], "\(text)")
            }
        }
        #expect(readable > 0 && readable < tries)
        #expect(longest < Self.limit)
    }

    @Test("Published values of random notifications fit their declaration", arguments: PacketRow.all)
    func notifications(_ row: PacketRow) throws {
        let text = Sample.text(packet: row.items, beside: row.beside, version: row.version)
        let file = try DeviceFile.read(text, file: "probe.yaml").file
        let report = try #require(file.features.first?.report)
        var random = RandomSource(seed: 7)
        for _ in 0..<ShippedFiles.tries {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let values = try? report.sources[0].read(bytes) else { continue }
            for field in report.fields.map(\.field) {
                guard let value = values[field.name], value != .null else {
                    #expect(field.isNullable || report.isPartial, "\(field.name) of \(bytes)")
                    continue
                }
                #expect((try? field.type.check(value, path: "")) != nil, "\(field.name) \(value) of \(bytes)")
            }
        }
    }

    private static func mutant(of original: [UInt8], _ random: inout RandomSource) -> String {
        var text = original
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: text.remove(at: place)
            case 1: text[place] = UInt8.random(in: 0...255, using: &random)
            case 2:
                // Duplicates a part of the text.
                let end = min(text.count, place + Int.random(in: 1...80, using: &random))
                text.insert(contentsOf: Array(text[place..<end]), at: place)
            case 3:
                let end = min(text.count, place + Int.random(in: 1...40, using: &random))
                text.removeSubrange(place..<end)
                if text.isEmpty { text = [0x20] }
            default:
                text.insert(contentsOf: Array((words.randomElement(using: &random) ?? "").utf8), at: place)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character or ends a line.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
