import JSON
import Testing

@Suite("JSON values are written and parsed in accordance with RFC 8259")
struct RoundTripTests {
    @Test(
        "Compact text is reproduced",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "-0.25",
            #""""#, #""a\"b\\c\nd\re\tf""#, #""\u0001\u001f""#, #""äöü €  𝄞""#, "[]", "[1,[2,[3]]]", "{}",
            #"{"b":1,"a":{"c":[null,true]}}"#,
        ])
    func roundTrip(_ text: String) throws {
        #expect(try JSON.Value(parsing: Array(text.utf8)).description == text)
    }

    @Test(
        "Other spellings have the same value",
        arguments: [
            (" \t\r\n[ 1 , 2 ] ", "[1,2]"), ("1e2", "100"), ("90.0", "90"), ("1E-1", "0.1"), ("-0", "0"),
            (#""\u00e4\/\b\f""#, "\"ä/\\u0008\\u000c\""), (#""\ud834\udd1e""#, "\"𝄞\""),
            (#""\u0000""#, #""\u0000""#),
            ("18446744073709551616", "1.8446744073709552e+19"),
        ])
    func spellings(_ text: String, _ written: String) throws {
        #expect(try JSON.Value(parsing: Array(text.utf8)).description == written)
    }

    @Test("Objects keep the order of their keys, which equality includes")
    func order() {
        var object: JSON.Object = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.keys == ["b", "a", "c"])
        #expect(object != ["a": 2, "b": 4, "c": 3])
        object["a"] = nil
        #expect(object == ["b": 4, "c": 3])
        object["n"] = .some(.null)
        #expect(object.count == 3)
        #expect(object["n"] == JSON.Value.null)
        #expect(object["x"] == nil)
    }

    @Test("Numbers have the same value in any notation")
    func numbers() {
        #expect(JSON.Value.number(90).integer == 90)
        #expect(JSON.Value.number(90.5).integer == nil)
        #expect(JSON.Value.integer(90).double == 90)
        #expect(JSON.Value.string("90").double == nil)
        #expect(JSON.Value.number(1e300).integer == nil)
        #expect(JSON.Value.number(.infinity).description == "null")
        #expect(JSON.Value.number(.nan).description == "null")
    }

    @Test(
        "The longest numbers fit, alone and among others",
        arguments: [
            "-2.2250738585072014e-308", "-1.7976931348623157e+308", "-1.2345678901234568e-300",
            "-0.00012345678901234567", "-9223372036854775808", "9007199254740993", "-1234567890123456.8",
        ])
    func longestNumbers(_ text: String) throws {
        let number = try JSON.Value(parsing: Array(text.utf8))
        #expect(number.description == text)
        let many: JSON.Value = [number, ["": number, "\u{1}": [number, number]], "", true, false, nil]
        #expect(
            many.description
                == #"[\#(text),{"":\#(text),"\u0001":[\#(text),\#(text)]},"",true,false,null]"#)
        #expect(try JSON.Value(parsing: many.bytes) == many)
    }

    @Test("A character has the same escape at every position and in texts of every length")
    func escapes() throws {
        for code in 0...0x17F {
            let character = String(try #require(Unicode.Scalar(UInt32(code))))
            let alone = JSON.Value.string(character).description.dropFirst().dropLast()
            for (before, behind) in [(0, 7), (3, 4), (7, 0), (8, 8), (10, 2), (15, 9), (2, 0)] {
                let text =
                    String(repeating: "~", count: before) + character + String(repeating: " ", count: behind)
                let written = JSON.Value.string(text).description
                let (first, last) = (text.prefix(before), text.suffix(behind))
                #expect(written == "\"\(first)\(alone)\(last)\"")
                #expect(try JSON.Value(parsing: Array(written.utf8)) == .string(text))
            }
        }
        #expect(JSON.Value.string("\u{7F}").description == #""\u007f""#)
        #expect(JSON.Value.string("\\\"").description == #""\\\"""#)
    }

    @Test("A text of any length is complete, regardless of the buffer's limit")
    func longTexts() throws {
        for length in Array(1000...1050) + [2047, 2048, 100_000] {
            for filling in ["a", "\"", "ä", "𝄞", "\u{1}"] {
                let text = String(repeating: filling, count: length)
                let value: JSON.Value = [["key": .string(text)], .string(text), 1, nil]
                #expect(try JSON.Value(parsing: value.bytes) == value)
            }
        }
    }

    @Test("Members are appended, and replace members with the same key")
    func adding() {
        let object: JSON.Object = ["a": 1, "time": "then", "b": [2]]
        let written = object.bytes(adding: [
            .init(key: "time", value: "now"), .init(key: "seq", value: 3),
        ])
        #expect(String(decoding: written, as: UTF8.self) == #"{"a":1,"b":[2],"time":"now","seq":3}"#)
        #expect(object.bytes(adding: []) == JSON.Value.object(object).bytes)
        #expect(JSON.Object().bytes(adding: []) == Array("{}".utf8))
    }

    @Test("Access to absent members and elements gives nil")
    func access() {
        let value: JSON.Value = ["a": [1, "x", nil]]
        #expect(value["a"]?.array?.count == 3)
        #expect(value["b"] == nil)
        #expect(JSON.Value.integer(1)["a"] == nil)
        #expect(value.kind == "an object")
    }
}
