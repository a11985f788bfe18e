import JSON
import Testing

@Suite("Invalid JSON is rejected with its location")
struct MalformedTests {
    @Test(
        "Malformed texts are rejected",
        arguments: [
            ("", "ends"), (" ", "ends"), ("tru", "expected a value"), ("nul", "expected a value"),
            ("truex", "after the end"), ("1 2", "after the end"), ("[1,]", "expected a value"),
            ("[1", "expected ,"),
            ("[", "ends"), ("{", "key"), (#"{"a"}"#, "expected :"), (#"{"a":1,}"#, "key"), ("{a:1}", "key"),
            (#"{"a":1 "b":2}"#, "expected ,"), (#"{"a":1,"a":2}"#, "twice"), (#"{"a":null,"a":2}"#, "twice"),
            ("01", "malformed number"), ("-", "malformed number"), ("1.", "malformed number"),
            (".5", "expected a value"), ("1e", "malformed number"), ("+1", "expected a value"),
            ("1e999", "out of range"), ("NaN", "expected a value"), ("\"abc", "unterminated"),
            ("\"a\nb\"", "control"), (#""\x""#, "escape"), (#""\u12""#, "four"), (#""\u12G4""#, "four"),
            (#""\ud834""#, "surrogate"), (#""\ud834\u0041""#, "surrogate"), (#""\udd1e""#, "surrogate"),
            ("'a'", "expected a value"), ("\u{FEFF}1", "expected a value"), ("/*x*/1", "expected a value"),
        ])
    func malformed(_ text: String, _ reason: String) {
        let error = #expect(throws: JSONError.self) { try JSON.Value(parsing: Array(text.utf8)) }
        #expect(error?.reason.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "Bytes that are not UTF-8 are rejected",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]])
    func encoding(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSON.Value(parsing: [0x22] + bytes + [0x22]) }
        #expect(throws: JSONError.self) { try JSON.Value(parsing: bytes) }
    }

    @Test(
        "The error contains the path inside the value",
        arguments: [
            (#"{"events":[{},{"time":x}]}"#, "events[1].time"), ("[[1,2],[3,x]]", "[1][1]"),
            (#"{"a":{"a":1,"a":2}}"#, "a.a"), ("x", ""),
        ])
    func path(_ text: String, _ path: String) {
        let error = #expect(throws: JSONError.self) { try JSON.Value(parsing: Array(text.utf8)) }
        #expect(error?.path == path)
    }

    @Test("The error text contains path, reason and byte offset")
    func words() {
        let error = #expect(throws: JSONError.self) { try JSON.Value(parsing: Array("[1,x]".utf8)) }
        #expect(error.map { "\($0)" } == "[1]: expected a value, at byte 3")
    }

    @Test(
        "Where trailing commas are allowed, one may follow the last element",
        arguments: [
            ("[1,]", "[1]"), ("[1 , ]", "[1]"), (#"{"a":[{"b":1,},],}"#, #"{"a":[{"b":1}]}"#), ("[,]", nil),
            ("[1,,]", nil), ("{,}", nil), ("[1],", nil),
        ] as [(String, String?)])
    func trailingCommas(_ text: String, _ read: String?) {
        let value = try? JSON.Value(parsing: Array(text.utf8), allowsTrailingCommas: true)
        #expect(value?.description == read)
    }

    @Test("Nesting is limited")
    func depth() throws {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSON.Value(parsing: nested(32))
        #expect(throws: JSONError.self) { try JSON.Value(parsing: nested(33)) }
        #expect(throws: JSONError.self) { try JSON.Value(parsing: nested(100_000)) }
        #expect(throws: JSONError.self) { try JSON.Value(parsing: nested(3), maximumDepth: 2) }
    }

    @Test(
        "Each member of a large object takes the same time, and duplicate keys are detected",
        .timeLimit(.minutes(1)))
    func manyMembers() throws {
        // With a linear search for each key, these texts would take minutes.
        let members = (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let object = try #require(try JSON.Value(parsing: Array("{\(members)}".utf8)).object)
        #expect(object.count == 100_000)
        #expect(object["k99999"] == 99_999)
        for twice in ["k0", "k15", "k16", "k99999"] {
            #expect(throws: JSONError.self) {
                try JSON.Value(parsing: Array("{\(members),\"\(twice)\":1}".utf8))
            }
        }
    }

    @Test("No text crashes the parser, and accepted texts can be written and parsed again")
    func noise() throws {
        var state: UInt64 = 3
        let alphabet = Array("{}[]\",:0123456789.eE+-truefalsn \\u d8\u{00e4}".utf8) + [0xFF, 0x00]
        for _ in 0..<20_000 {
            var text: [UInt8] = []
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for _ in 0..<Int(state >> 60) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text.append(alphabet[Int((state >> 33) % UInt64(alphabet.count))])
            }
            guard let value = try? JSON.Value(parsing: text) else { continue }
            #expect(try JSON.Value(parsing: value.bytes).bytes == value.bytes)
        }
    }
}
