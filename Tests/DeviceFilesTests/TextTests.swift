import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Lines and texts")
struct TextTests {
    private static func pattern(_ line: String, fields: String = "") throws -> ReportEntry {
        let text = Sample.text(
            features: """
                value:
                  summary: A value.
                  kind: state
                  from: out
                  line: "\(line)"
                  \(fields)
                """
        ).replacing("uuid: ff01", with: #"uuid: ff01, lines: "\n""#)
        return try #require(try DeviceFile.read(text, file: "probe.yaml").file.features[0].report)
    }

    @Test(
        "Numbers in a line match as much as possible, texts as little as possible",
        arguments: [
            ("T={a:number} H={b:integer}", "T=21.40 H=-5", #"{"a":21.4,"b":-5}"#),
            ("T={a:number} H={b:integer}", "T=1e3 H=007", #"{"a":1000,"b":7}"#),
            ("T={a:number}", "T=21.4C", nil), ("T={a:number}", "T=.", nil), ("T={a:integer}", "T=1.5", nil),
            ("{a:word} {b:text}", "one two three", #"{"a":"one","b":"two three"}"#),
            ("{a:text},{b:text}", "1,2,3", #"{"a":"1","b":"2,3"}"#),
            ("{a:text}{b:integer}", "x12", #"{"a":"x","b":12}"#),
            ("{a:integer}{_b:text}", "94}}", "94"), ("{a:number}{b:word}", "21.5C", #"{"a":21.5,"b":"C"}"#),
            ("{a:number}.", "21.5.", "21.5"), ("{a:hex}{b:text}", "0a1x", #"{"a":"0a","b":"1x"}"#),
            ("[{a:hex}]", "[0AfF]", #""0aff""#), ("[{a:hex}]", "[0Af]", nil),
            ("{{{a:word}}}", "{x}", #""x""#), ("{_a:word} {b:word}", "x y", #""y""#),
            ("{a:text}", "", #""""#), ("{a:word}", "a b", nil), ("{a:text}", "\u{E9}", "\"\u{E9}\""),
        ] as [(String, String, String?)])
    func lines(_ pattern: String, _ line: String, _ expected: String?) throws {
        let report = try Self.pattern(pattern)
        let values = try? report.sources[0].read(Array(line.utf8))
        #expect(values.map { report.value(of: $0).description } == expected)
    }

    @Test("A value of a line outside its limits does not fit")
    func limits() throws {
        let report = try Self.pattern(
            "T={a:number}", fields: "fields: { a: { minimum: -40, maximum: 85.5, unit: °C } }")
        #expect(report.fields[0].field.type == .number(-40...85.5))
        #expect(report.fields[0].field.unit == "°C")
        #expect(throws: PacketMisfit.self) { try report.sources[0].read(Array("T=85.6".utf8)) }
        #expect(throws: Never.self) { try report.sources[0].read(Array("T=85.5".utf8)) }
    }

    @Test("A whole number of a line is converted to its word")
    func words() throws {
        let report = try Self.pattern(
            "B={a:integer}", fields: "fields: { a: { values: { 1: plus, -2: minus }, unknown: other } }")
        #expect(report.fields[0].field.type == .choice(["plus", "minus", "other"]))
        for (line, word) in [("B=1", "plus"), ("B=-2", "minus"), ("B=7", "other")] {
            #expect(try report.sources[0].read(Array(line.utf8)) == ["a": .string(word)])
        }
        let strict = try Self.pattern("B={a:integer}", fields: "fields: { a: { values: { 1: plus } } }")
        #expect(throws: PacketMisfit.self) { try strict.sources[0].read(Array("B=2".utf8)) }
    }

    @Test("The time for a line is limited, regardless of ambiguity")
    func effort() throws {
        let report = try Self.pattern((0..<20).map { "{a\($0):text}" }.joined(separator: "x") + "y")
        #expect(throws: PacketMisfit.self) { try report.sources[0].read(Array(repeating: 0x78, count: 512)) }
        let numbers = try Self.pattern((0..<20).map { "{a\($0):number}" }.joined() + "y")
        #expect(throws: PacketMisfit.self) { try numbers.sources[0].read(Array(repeating: 0x31, count: 512)) }
    }

    @Test(
        "A text is written with its fields",
        arguments: [
            ("a: { type: integer }", "L{a}", #"{"a":5}"#, "L5"),
            ("a: { type: number }", "L{a}", #"{"a":0.1}"#, "L0.1"),
            ("a: { type: boolean }", "L{a}", #"{"a":true}"#, "Ltrue"),
            ("a: { type: text }", "say {a}", #"{"a":"hi {x}"}"#, "say hi {x}"),
            ("a: { type: choice, values: [low, high] }", "{a}", #"{"a":"low"}"#, "low"),
            ("a: { type: text }", "{{{a:hex}}}", #"{"a":"hi"}"#, "{6869}"),
            ("a: { type: text }", "{a:base64}", #"{"a":"hi\n"}"#, "aGkK"),
            ("a: { type: integer }", "{a:%d}", #"{"a":-5}"#, "-5"),
            ("a: { type: integer }", "{a:%04d}", #"{"a":-5}"#, "-005"),
            ("a: { type: integer }", "{a:%4d}", #"{"a":5}"#, "   5"),
            ("a: { type: integer, minimum: 0 }", "{a:%02x}{a:%X}", #"{"a":10}"#, "0aA"),
            ("a: { type: number }", "{a:%.2f}", #"{"a":-0.005}"#, "-0.01"),
            ("a: { type: number }", "{a:%f}", #"{"a":1.5}"#, "1.500000"),
            ("a: { type: number }", "{a:%6.1f}", #"{"a":2.25}"#, "   2.3"),
            ("a: { type: number }", "{a:%.0f}", #"{"a":0.5}"#, "1"),
            ("a: { type: text }", "{a}", #"{"a":"x\nstop"}"#, "error: invalid_value"),
            ("a: { type: text }", "{a}", "{\"a\":\"x\\u2028y\"}", "error: invalid_value"),
            ("a: { type: text }", "{a}", #"{"a":"x\u0000"}"#, "error: invalid_value"),
            ("a: { type: integer }", "{a:%x}", #"{"a":-1}"#, "error: out_of_range"),
            (
                "a: { type: list, items: { type: integer, minimum: 0, maximum: 255 } }", "{a:hex}",
                #"{"a":[0,255]}"#, "00ff"
            ),
            ("a: { type: integer, default: 7 }", "{a}", "{}", "7"),
        ])
    func texts(_ field: String, _ text: String, _ payload: String, _ expected: String) throws {
        let file = try DeviceFile.read(
            Sample.text(fields: field, write: "{ to: out, text: \"\(text)\" }"), file: "probe.yaml"
        ).file
        let entry = try #require(file.features[0].command)
        let command = try #require(FileFamily(file).features[0].command)
        guard case .text(let template) = entry.steps[0].content else { return #expect(Bool(false)) }
        let found: String
        do throws(CommandError) {
            let arguments = try command.parse(Array(payload.utf8)).arguments
            found = String(decoding: try template.write(arguments.values), as: UTF8.self)
        } catch {
            found = "error: \(error.code.rawValue)"
        }
        #expect(found == expected)
    }

    @Test(
        "A name must match as a whole and is case-sensitive",
        arguments: [
            ("Buzz*", "Buzz 1", true), ("Buzz*", "buzz", false), ("Buzz*", "A Buzz", false),
            ("*uz?", "Buzz", true),
            ("B*z*1", "Buzz 11", true), ("B*z*1", "Buzz 12", false), ("Buzz", "Buzz", true),
            ("Buzz", "Buzz!", false),
        ])
    func globs(_ pattern: String, _ text: String, _ matches: Bool) {
        #expect(Glob(pattern).matches(text) == matches)
    }

    @Test(
        "Byte patterns match at every position",
        arguments: [
            ("02..01", [0x00, 0x02, 0xFF, 0x01] as [UInt8], true), ("02 .. 01", [0x02, 0x01], false),
            ("..", [], false),
            ("01", [0x00, 0x01], true),
        ])
    func patterns(_ text: String, _ bytes: [UInt8], _ found: Bool) throws {
        #expect(try #require(BytePattern(text)).isContained(in: bytes) == found)
    }
}
