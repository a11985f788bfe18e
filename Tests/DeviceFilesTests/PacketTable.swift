import Testing

/// A packet format, with examples of reading, writing and misuse.
struct PacketRow: Sendable, CustomTestStringConvertible {
    /// The type, the qualifier or the option.
    let name: String
    let items: [String]
    /// The keys next to the packet.
    var beside = ""
    /// The version of the file.
    var version = 1
    /// Bytes and their published values. For bytes that do not fit, `garbage: ` and the reason.
    var reads: [(String, String)] = []
    /// Values and their written bytes. For values that do not fit, `error: ` and the code.
    var writes: [(String, String)] = []

    var testDescription: String { name }
}

extension PacketRow {
    static let integers = [
        PacketRow(
            name: "u8", items: ["{ a: u8 }"],
            reads: [("ff", "255"), ("", "garbage: a: the packet ends after 0 bytes; 1 more are needed")],
            writes: [
                (#"{"a":255}"#, "ff"), (#"{"a":256}"#, "error: out_of_range"),
                (#"{"a":"x"}"#, "error: invalid_value"), ("{}", "error: missing_field"),
            ]),
        PacketRow(
            name: "u16", items: ["{ a: u16 }"], reads: [("0102", "513"), ("010203", "513")],
            writes: [(#"{"a":513}"#, "0102")]),
        PacketRow(
            name: "u24", items: ["{ a: u24 }"], reads: [("010203", "197121")],
            writes: [(#"{"a":197121}"#, "010203")]),
        PacketRow(
            name: "u32", items: ["{ a: u32 }"], reads: [("ffffffff", "4294967295")],
            writes: [(#"{"a":4294967295}"#, "ffffffff"), (#"{"a":-1}"#, "error: out_of_range")]),
        PacketRow(
            name: "u64", items: ["{ a: u64 }"],
            reads: [
                (
                    "0100000000000080",
                    "garbage: a: found 9223372036854775809; allowed: -9223372036854775808...9223372036854775807"
                ), ("ffffffffffffff7f", "9223372036854775807"),
            ], writes: [(#"{"a":9223372036854775807}"#, "ffffffffffffff7f")]),
        PacketRow(
            name: "i8", items: ["{ a: i8 }"], reads: [("80", "-128"), ("7f", "127")],
            writes: [(#"{"a":-128}"#, "80"), (#"{"a":128}"#, "error: out_of_range")]),
        PacketRow(
            name: "i16", items: ["{ a: i16 }"], reads: [("feff", "-2")], writes: [(#"{"a":-2}"#, "feff")]),
        PacketRow(
            name: "i24", items: ["{ a: i24 }"], reads: [("feffff", "-2"), ("ffff7f", "8388607")],
            writes: [(#"{"a":-2}"#, "feffff")]),
        PacketRow(
            name: "i32", items: ["{ a: i32 }"], reads: [("00000080", "-2147483648")],
            writes: [(#"{"a":-2147483648}"#, "00000080")]),
        PacketRow(
            name: "i64", items: ["{ a: i64 }"], reads: [("0000000000000080", "-9223372036854775808")],
            writes: [(#"{"a":-1}"#, "ffffffffffffffff")]),
        PacketRow(
            name: "big on the item", items: ["{ a: u16, big: true }", "{ b: i24, big: true }"],
            reads: [("0102fffffe", #"{"a":258,"b":-2}"#)], writes: [(#"{"a":258,"b":-2}"#, "0102fffffe")]),
        PacketRow(
            name: "big on the packet", items: ["{ a: u16 }", "{ b: u16, big: false }"], beside: "big: true",
            reads: [("01020102", #"{"a":258,"b":513}"#)], writes: [(#"{"a":258,"b":513}"#, "01020102")]),
        PacketRow(
            name: "exact", items: ["{ a: u8 }"], beside: "exact: true",
            reads: [("01", "1"), ("0102", "garbage: found 2 bytes; allowed: 1")]),
    ]

    static let fractions = [
        PacketRow(
            name: "f32", items: ["{ a: f32 }"],
            reads: [
                ("cdcccc3d", "0.1"), ("3333ab41", "21.4"), ("0000c07f", "null"), ("0000807f", "null"),
                ("00000040", "2"), ("ffff7f7f", "3.4028235e+38"),
            ],
            writes: [(#"{"a":0.1}"#, "cdcccc3d"), (#"{"a":1e300}"#, "error: out_of_range")]),
        PacketRow(
            name: "f64", items: ["{ a: f64 }"],
            reads: [("9a9999999999b93f", "0.1"), ("000000000000f87f", "null")],
            writes: [(#"{"a":0.1}"#, "9a9999999999b93f"), (#"{"a":1e300}"#, "9c7500883ce4377e")]),
        PacketRow(
            name: "f32 with round", items: ["{ a: f32, round: 1 }"],
            reads: [("3333ab41", "21.4"), ("0000c83f", "1.6"), ("000020c0", "-2.5")]),
        PacketRow(
            name: "f32 with scale", items: ["{ a: f32, scale: 100 }"], reads: [("cdcccc3d", "10")],
            writes: [(#"{"a":10}"#, "cdcccc3d")]),
        PacketRow(
            name: "sfloat", items: ["{ a: sfloat }"],
            reads: [
                ("72f1", "37"), ("d6f0", "21.4"), ("ff07", "null"), ("0008", "null"), ("fe07", "null"),
                ("0208", "null"), ("0108", "null"), ("ffff", "-0.1"),
            ],
            writes: [
                (#"{"a":21.4}"#, "d6f0"), (#"{"a":-0.1}"#, "ffff"), (#"{"a":1e12}"#, "error: out_of_range"),
                (#"{"a":20000}"#, "d017"),
            ]),
        PacketRow(
            name: "float11073", items: ["{ a: float11073 }"],
            reads: [("720100ff", "37"), ("ffff7f00", "null"), ("00008000", "null"), ("6e0100ff", "36.6")],
            writes: [(#"{"a":36.6}"#, "6e0100ff")]),
        PacketRow(
            name: "scale", items: ["{ a: i16, scale: 0.01 }"], reads: [("5c08", "21.4"), ("f4ff", "-0.12")],
            writes: [
                (#"{"a":21.4}"#, "5c08"), (#"{"a":21.405}"#, "5d08"), (#"{"a":-21.405}"#, "a3f7"),
                (#"{"a":400}"#, "error: out_of_range"),
            ]),
        PacketRow(
            name: "scale of a fraction", items: ["{ a: u16, scale: 1000/1024, round: 1 }"],
            reads: [("0004", "1000"), ("0100", "1"), ("0300", "2.9")], writes: [(#"{"a":1000}"#, "0004")]),
        PacketRow(
            name: "offset", items: ["{ a: u8, scale: 0.5, offset: -40 }"],
            reads: [("00", "-40"), ("83", "25.5")], writes: [(#"{"a":25.5}"#, "83")]),
        PacketRow(
            name: "round", items: ["{ a: u16, scale: 0.01, round: 1 }"],
            reads: [("5d08", "21.4"), ("6108", "21.5"), ("0500", "0.1")]),
        PacketRow(
            name: "sum", items: ["{ a: sum, of: [ i8, { u8: 0.01 } ] }"],
            reads: [("1928", "25.4"), ("e728", "-25.4")],
            writes: [
                (#"{"a":25.4}"#, "1928"), (#"{"a":-25.4}"#, "e728"), (#"{"a":-0.4}"#, "error: out_of_range"),
                (#"{"a":200}"#, "error: out_of_range"),
            ]),
    ]

    static let others = [
        PacketRow(
            name: "bool", items: ["{ a: bool }"], reads: [("00", "false"), ("02", "true")],
            writes: [(#"{"a":true}"#, "01"), (#"{"a":"x"}"#, "error: invalid_value")]),
        PacketRow(
            name: "bits",
            items: [
                "{ _flags: u8, bits: { wide: 0, contact: { at: [1, 2], values: { 0: none, 2: lost, 3: held } }, level: { at: [3, 5] }, door: { at: 7, values: { 0: open, 1: closed } } } }"
            ],
            reads: [
                ("07", #"{"wide":true,"contact":"held","level":0,"door":"open"}"#),
                ("a8", #"{"wide":false,"contact":"none","level":5,"door":"closed"}"#),
                ("02", "garbage: contact: found 1; allowed: 0 2 3"),
            ],
            writes: [
                (#"{"wide":true,"contact":"held","level":7,"door":"closed"}"#, "bf"),
                (#"{"level":8}"#, "error: out_of_range"), ("{}", "00"),
            ]),
        PacketRow(
            name: "bits of a published number", items: ["{ flags: u16, bits: { last: 15 }, big: true }"],
            reads: [("8001", #"{"last":true,"flags":32769}"#)]),
        PacketRow(
            name: "text with length", items: ["{ a: text, length: 4 }", "{ b: u8 }"],
            reads: [
                ("68690000ff", #"{"a":"hi","b":255}"#), ("68692121ff", #"{"a":"hi!!","b":255}"#),
                ("ff690000ff", "{\"a\":\"\u{FFFD}i\",\"b\":255}"),
            ],
            writes: [
                (#"{"a":"hi","b":255}"#, "68690000ff"), (#"{"a":"hello","b":1}"#, "error: out_of_range"),
            ]),
        PacketRow(
            name: "text", items: ["{ a: text }"], reads: [("6869", #""hi""#), ("", #""""#)],
            writes: [(#"{"a":"hi"}"#, "6869")]),
        PacketRow(
            name: "bytes", items: ["{ a: bytes, length: 2 }"], reads: [("0aff", #""0aff""#)],
            writes: [
                (#"{"a":"0aff"}"#, "0aff"), (#"{"a":"0a"}"#, "0a00"), (#"{"a":"0"}"#, "error: invalid_value"),
            ]),
        PacketRow(
            name: "hex", items: ["{ a: hex }"], reads: [("0aff", #""0aff""#)],
            writes: [(#"{"a":"0aff"}"#, "0aff")]),
        PacketRow(
            name: "base64", items: ["{ a: base64 }", "{ checksum: xor8 }"],
            reads: [("ff000000ff", #""/wAAAA==""#)],
            writes: [(#"{"a":"/wAAAA=="}"#, "ff000000ff"), (#"{"a":"/w"}"#, "error: invalid_value")]),
        PacketRow(
            name: "list", items: ["{ rr_ms: list, of: u16, scale: 1000/1024, round: 1 }"],
            reads: [("00040002", "[1000,500]"), ("", "[]"), ("000400", "[1000]")],
            writes: [(#"{"rr_ms":[1000,500]}"#, "00040002")]),
        PacketRow(
            name: "list with count", items: ["{ a: list, of: u8, count: 2 }", "{ b: u8 }"],
            reads: [
                ("010203", #"{"a":[1,2],"b":3}"#),
                ("0102", "garbage: b: the packet ends after 2 bytes; 1 more are needed"),
            ], writes: [(#"{"a":[1,2],"b":3}"#, "010203"), (#"{"a":[1],"b":3}"#, "error: out_of_range")]),
        PacketRow(
            name: "list with count of an item", items: ["{ _n: u8 }", "{ a: list, of: i8, count: _n }"],
            reads: [
                ("02ff01", "[-1,1]"), ("00", "[]"),
                ("0301", "garbage: a: the packet ends after 2 bytes; 1 more are needed"),
            ], writes: [(#"{"a":[-1,1]}"#, "02ff01")]),
        PacketRow(
            name: "list of items", items: ["{ points: list, of: [ { x: i8 }, { y: i8 } ] }"],
            reads: [("01020304", #"[{"x":1,"y":2},{"x":3,"y":4}]"#)],
            writes: [(#"{"points":[{"x":1,"y":2}]}"#, "0102")]),
        PacketRow(
            name: "list of bool", items: ["{ a: list, of: bool, count: 2 }"],
            reads: [("0001", "[false,true]")], writes: [(#"{"a":[false,true]}"#, "0001")]),
        PacketRow(
            name: "skip", items: ["{ skip: 2 }", "{ a: u8 }"], reads: [("ffff03", "3")],
            writes: [(#"{"a":3}"#, "000003")]),
        PacketRow(
            name: "literal", items: [#"{ literal: "7e00" }"#, "{ a: u8 }"],
            reads: [("7e0003", "3"), ("7e0103", "garbage: found 7e01; allowed: 7e00")],
            writes: [(#"{"a":3}"#, "7e0003")]),
        PacketRow(
            name: "pad", items: ["{ a: u8 }", "{ pad: 4 }", "{ b: u8 }"],
            reads: [
                ("0100000002", #"{"a":1,"b":2}"#), ("010000", "garbage: found 3 bytes; allowed: at least 4"),
            ], writes: [(#"{"a":1,"b":2}"#, "0100000002")]),
        PacketRow(
            name: "now", items: ["{ now: unix32 }", "{ a: u8 }"], reads: [("0000000005", "5")],
            writes: [(#"{"a":5}"#, "80b5556905")]),
    ]

    static let all = integers + fractions + others + qualifiers + version2
}
