extension PacketRow {
    static let qualifiers = [
        PacketRow(
            name: "equals", items: ["{ _kind: u8, equals: 0x10 }", "{ a: u8 }"],
            reads: [("1005", "5"), ("1105", "garbage: _kind: found 17; allowed: 16")],
            writes: [(#"{"a":5}"#, "1005")]),
        PacketRow(
            name: "values", items: ["{ a: u8, values: { 0: released, 1: pressed } }"],
            reads: [("01", #""pressed""#), ("02", "garbage: a: found 2; allowed: 0 1")],
            writes: [(#"{"a":"pressed"}"#, "01"), (#"{"a":"held"}"#, "error: invalid_value")]),
        PacketRow(
            name: "unknown", items: ["{ a: i8, values: { -1: left, 0x01: right }, unknown: other }"],
            reads: [("ff", #""left""#), ("01", #""right""#), ("05", #""other""#)]),
        PacketRow(
            name: "null_if", items: ["{ a: u16, scale: 0.1, null_if: [65535, 65534] }"],
            reads: [("ffff", "null"), ("feff", "null"), ("d600", "21.4")], writes: [(#"{"a":null}"#, "ffff")]),
        PacketRow(
            name: "null_if of bits", items: ["{ a: i16, null_if: 0x8000 }"],
            reads: [("0080", "null"), ("ffff", "-1")]),
        PacketRow(
            name: "if with mask and equals",
            items: [
                "{ _flags: u8 }", "{ bpm: u8, if: { _flags: { mask: 1, equals: 0 } } }",
                "{ bpm: u16, if: { _flags: { mask: 1, equals: 1 } } }",
            ],
            reads: [
                ("0048", "72"), ("014800", "72"),
                ("01", "garbage: bpm: the packet ends after 1 bytes; 2 more are needed"),
            ]),
        PacketRow(
            name: "if with a bit",
            items: [
                "{ _flags: u8, bits: { wide: 0 } }", "{ a: u16, if: { wide: true } }",
                "{ a: u8, if: { wide: false } }",
            ], reads: [("010201", #"{"wide":true,"a":258}"#), ("0002", #"{"wide":false,"a":2}"#)]),
        PacketRow(
            name: "if with several bits",
            items: ["{ _flags: u8, bits: { _mode: { at: [1, 2] } } }", "{ a: u8, if: { _mode: 2 } }"],
            reads: [("0405", "5"), ("0205", "null")]),
        PacketRow(
            name: "if with at_least and at_most",
            items: ["{ kind: i8 }", "{ a: u8, if: { kind: { at_least: -1, at_most: 1 } } }"],
            reads: [("ff05", #"{"kind":-1,"a":5}"#), ("0205", #"{"kind":2,"a":null}"#)]),
        PacketRow(
            name: "if with a number", items: ["{ kind: u8 }", "{ a: u8, if: { kind: 7 } }"],
            reads: [("0705", #"{"kind":7,"a":5}"#), ("06", #"{"kind":6,"a":null}"#)]),
        PacketRow(
            name: "if with a bool", items: ["{ on_air: bool }", "{ a: u8, if: { on_air: true } }"],
            reads: [("0205", #"{"on_air":true,"a":5}"#), ("0005", #"{"on_air":false,"a":null}"#)]),
        PacketRow(
            name: "if remaining", items: ["{ a: u8 }", "{ b: u16, if: { remaining: 2 } }"],
            reads: [("010200", #"{"a":1,"b":2}"#), ("0102", #"{"a":1,"b":null}"#)]),
        PacketRow(
            name: "minimum and maximum", items: ["{ a: u8, scale: 0.5, minimum: 10, maximum: 20 }"],
            reads: [
                ("14", "10"), ("28", "20"), ("13", "garbage: a: found 9.5; allowed: at least 10"),
                ("29", "garbage: a: found 20.5; allowed: at most 20"),
            ], writes: [(#"{"a":10}"#, "14"), (#"{"a":9.5}"#, "error: out_of_range")]),
        PacketRow(
            name: "unit, class, category, name, icon",
            items: [
                #"{ a: u8, unit: "%", class: battery, category: diagnostic, name: "Charge", icon: battery }"#
            ], reads: [("05", "5")]),
        PacketRow(
            name: "checksum sum8", items: ["{ a: u16 }", "{ checksum: sum8 }"],
            reads: [("010203", "513"), ("010204", "garbage: checksum: found 4; allowed: 3")],
            writes: [(#"{"a":513}"#, "010203")]),
        PacketRow(
            name: "checksum xor8", items: ["{ a: u16 }", "{ checksum: xor8 }"], reads: [("ff0ff0", "4095")],
            writes: [(#"{"a":4095}"#, "ff0ff0")]),
        // The check values of the catalog of CRC algorithms, for the text 123456789.
        PacketRow(
            name: "checksum crc8_smbus", items: ["{ a: text, length: 9 }", "{ checksum: crc8_smbus }"],
            writes: [(#"{"a":"123456789"}"#, "313233343536373839f4")]),
        PacketRow(
            name: "checksum crc16_ibm3740",
            items: ["{ a: text, length: 9 }", "{ checksum: crc16_ibm3740, big: true }"],
            reads: [("31323334353637383929b1", #""123456789""#)],
            writes: [(#"{"a":"123456789"}"#, "31323334353637383929b1")]),
        PacketRow(
            name: "checksum crc16_xmodem",
            items: ["{ a: text, length: 9 }", "{ checksum: crc16_xmodem, big: true }"],
            writes: [(#"{"a":"123456789"}"#, "31323334353637383931c3")]),
        PacketRow(
            name: "checksum crc16_modbus", items: ["{ a: text, length: 9 }", "{ checksum: crc16_modbus }"],
            writes: [(#"{"a":"123456789"}"#, "313233343536373839374b")]),
        PacketRow(
            name: "checksum of parameters",
            items: [
                "{ a: text, length: 9 }",
                "{ checksum: { width: 32, poly: 0x04c11db7, init: 0xffffffff, reflect: true, xor: 0xffffffff }, big: true }",
            ], reads: [("313233343536373839cbf43926", #""123456789""#)],
            writes: [(#"{"a":"123456789"}"#, "313233343536373839cbf43926")]),
        PacketRow(
            name: "over", items: ["{ a: u8 }", "{ checksum: sum8, over: [2, -1] }", "{ b: u16 }"],
            reads: [("ff030102", #"{"a":255,"b":513}"#)], writes: [(#"{"a":255,"b":513}"#, "ff030102")]),
    ]
}
