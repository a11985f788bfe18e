import Testing

/// An invalid device file, with the location and the message of its first problem.
struct MisuseRow: Sendable, CustomTestStringConvertible {
    let name: String
    /// The text of the file.
    let text: String
    /// The line and the path of the first problem.
    let line: Int
    let path: String
    /// The start of the message.
    let message: String

    var testDescription: String { name }

    /// A packet with one superfluous item. The items start in line 15.
    static func packet(
        _ name: String, _ items: [String], line: Int = 16, at path: String, _ message: String,
        beside: String = "", version: Int = 1
    ) -> MisuseRow {
        MisuseRow(
            name: name, text: Sample.text(packet: items, beside: beside, version: version), line: line,
            path: "features.value.\(path)", message: message)
    }

    /// A command with its fields in line 14 and its write in line 15.
    static func command(
        _ name: String, _ fields: String, _ write: String, line: Int, at path: String, _ message: String
    ) -> MisuseRow {
        MisuseRow(
            name: name, text: Sample.text(fields: fields, write: write), line: line,
            path: "features.set_value.command\(path)", message: message)
    }

    /// A file with one line replaced.
    static func file(
        _ name: String, _ old: String, _ new: String, line: Int, at path: String, _ message: String
    ) -> MisuseRow {
        let text = Sample.text(packet: ["{ a: u8 }"]).replacing(old, with: new)
        return MisuseRow(name: name, text: text, line: line, path: path, message: message)
    }

    /// A feature with these lines. Its keys start in line 12.
    static func feature(
        _ name: String, _ lines: String, line: Int, at path: String, _ message: String, more: String = ""
    ) -> MisuseRow {
        let text = Sample.text(features: "value:\n\(lines.indented(2))", more: more)
        return MisuseRow(
            name: name, text: text, line: line,
            path: path.isEmpty ? "features.value" : "features.value.\(path)", message: message)
    }
}

extension MisuseRow {
    static let packets: [MisuseRow] = [
        packet(
            "a type that is none", ["{ a: u9 }"], at: "packet[0].a",
            "found u9; did you mean u8? Allowed: u8 u16"),
        packet("no field", ["{ unit: x }"], at: "packet[0]", "found no field; allowed"),
        packet(
            "a qualifier that is none", ["{ a: u8, scal: 2 }"], at: "packet[0]",
            "found the fields a and scal; did you mean scale? Allowed"),
        packet("a name of a type", ["{ u8: u8 }"], at: "packet[0].u8", "found the name u8; allowed"),
        packet(
            "a name in capitals", ["{ Level: u8 }"], at: "packet[0].Level", "found the name Level; allowed"),
        packet(
            "a name again", ["{ a: u8 }", "{ a: u8 }"], line: 17, at: "packet[1]",
            "found the field a twice; allowed"),
        packet(
            "big that is no truth value", ["{ a: u16, big: yes }"], at: "packet[0].big",
            "found yes; allowed: true or false"),
        packet(
            "big of a text", ["{ a: text, big: true }"], at: "packet[0].big",
            "found big; allowed: a text takes length if"),
        packet(
            "scale of a word", ["{ a: u16, scale: x }"], at: "packet[0].scale",
            "found x; allowed: a number that is not 0"),
        packet(
            "scale of zero", ["{ a: u16, scale: 0 }"], at: "packet[0].scale",
            "found 0; allowed: a number that is not 0"),
        packet(
            "a fraction without round", ["{ a: u16, scale: 1000/1024 }"], at: "packet[0].scale",
            "found the fraction 1000/1024 without round"),
        packet(
            "offset of a word", ["{ a: u16, offset: x }"], at: "packet[0].offset",
            "found x; allowed: a number"),
        packet(
            "round beyond its limits", ["{ a: u16, round: 10 }"], at: "packet[0].round",
            "found 10; allowed: a whole number 0...9"),
        packet(
            "equals outside the type", ["{ a: u8, equals: 256 }"], at: "packet[0].equals",
            "found 256; allowed: a whole number 0...255"),
        packet(
            "equals of a fraction", ["{ a: f32, equals: 1 }"], at: "packet[0].equals",
            "found equals, but a number with a fraction"),
        packet(
            "values outside the type", ["{ a: u8, values: { 256: x } }"], at: "packet[0].values.256",
            "found 256; allowed: a raw value 0...255"),
        packet(
            "values with a scale", ["{ a: u8, scale: 2, values: { 1: x } }"], at: "packet[0].scale",
            "found scale, but its values are words"),
        packet(
            "values that are no mapping", ["{ a: u8, values: [x] }"], at: "packet[0].values",
            "found a list; allowed: a mapping of raw values to words"),
        packet(
            "unknown without values", ["{ a: u8, unknown: other }"], at: "packet[0].unknown",
            "found unknown, but there are no values"),
        packet(
            "null_if outside the type", ["{ a: u8, null_if: 300 }"], at: "packet[0].null_if",
            "found 300; allowed: a raw value 0...255"),
        packet(
            "null_if of a word", ["{ a: u8, null_if: none }"], at: "packet[0].null_if",
            "found none; allowed: a raw value, or its bits"),
        packet(
            "minimum above maximum", ["{ a: u8, minimum: 2, maximum: 1 }"], at: "packet[0].maximum",
            "found 1; allowed: at least the minimum, 2"),
        packet(
            "unit that is a list", ["{ a: u8, unit: [] }"], at: "packet[0].unit",
            "found a list; allowed: text of 1...16 bytes"),
        packet(
            "class in capitals", ["{ a: u8, class: Battery }"], at: "packet[0].class",
            "found Battery; did you mean battery? Allowed: "),
        packet(
            "category that is none", ["{ a: u8, category: diagnosis }"], at: "packet[0].category",
            "found diagnosis; did you mean diagnostic? Allowed: config diagnostic"),
        packet(
            "name that is empty", [#"{ a: u8, name: "" }"#], at: "packet[0].name",
            "found the text \"\"; allowed: text of 1...64 bytes"),
        packet(
            "icon that is a mapping", ["{ a: u8, icon: {} }"], at: "packet[0].icon",
            "found a mapping; allowed: text"),
        packet(
            "length of nothing", ["{ a: text, length: 0 }"], at: "packet[0].length",
            "found 0; allowed: a whole number 1...512"),
        packet(
            "length of a number", ["{ a: u8, length: 1 }"], at: "packet[0].length",
            "found length; allowed: a number takes"),
        packet(
            "an item behind the rest", ["{ a: text }", "{ b: u8, if: { remaining: 1 } }"], line: 17,
            at: "packet[1]", "found it after an item that takes the remaining bytes"),
        packet(
            "two items that take the rest", ["{ a: text }", "{ b: bytes }"], line: 17, at: "packet[1]",
            "found it after an item that takes the remaining bytes"),
        packet(
            "a list of nothing", ["{ a: list }"], at: "packet[0]", "of is missing; allowed: a type or items"),
        packet(
            "a list in a list", ["{ a: list, of: [ { b: list, of: u8, count: 2 } ] }"], at: "packet[0].of",
            "found an element without a fixed length"),
        packet("a list of texts", ["{ a: list, of: text }"], at: "packet[0].of", "found text; allowed: u8"),
        packet(
            "count of what is not there", ["{ a: list, of: u8, count: n }"], at: "packet[0].count",
            "found n; allowed: 1...512 rest"),
        packet(
            "of at a number", ["{ a: u8, of: u8 }"], at: "packet[0].of", "found of; allowed: a number takes"),
        packet(
            "a sum of floats", ["{ a: sum, of: [f32] }"], at: "packet[0].of[0]",
            "found f32; did you mean i32? Allowed: u8"),
        packet(
            "a sum with a later sign", ["{ a: sum, of: [i8, i8] }"], at: "packet[0].of[1]",
            "found i8; allowed: an unsigned type"),
        packet(
            "a sum with a scale of zero", ["{ a: sum, of: [ { u8: 0 } ] }"], at: "packet[0].of[0].u8",
            "found 0; allowed: a number above 0"),
        packet(
            "bits of a signed number", ["{ a: i8, bits: { b: 0 } }"], at: "packet[0].bits",
            "found bits of i8; allowed: an unsigned number"),
        packet(
            "a bit beyond the number", ["{ a: u8, bits: { b: 8 } }"], at: "packet[0].bits.b",
            "found 8; allowed: a whole number 0...7"),
        packet(
            "at with the last bit first", ["{ a: u8, bits: { b: { at: [3, 1] } } }"],
            at: "packet[0].bits.b.at", "found the first bit above the last"),
        packet(
            "at that is missing", ["{ a: u8, bits: { b: { values: { 0: x } } } }"], at: "packet[0].bits.b",
            "at is missing; allowed"),
        packet(
            "values beyond the bits", ["{ a: u8, bits: { b: { at: [0, 1], values: { 4: x } } } }"],
            at: "packet[0].bits.b.values", "found 4; allowed: a raw value 0...3"),
        packet(
            "a bit named as a field", ["{ a: u8 }", "{ _f: u8, bits: { a: 0 } }"], line: 17, at: "packet[1]",
            "found the field a twice"),
        packet(
            "skip of nothing", ["{ skip: 0 }"], at: "packet[0].skip",
            "found 0; allowed: a whole number 1...512"),
        packet(
            "skip with a unit", ["{ skip: 1, unit: x }"], at: "packet[0].unit",
            "found unit; allowed: an item skip takes if"),
        packet(
            "literal that is no hex", [#"{ literal: "7g" }"#], at: "packet[0].literal",
            "found the text \"7g\"; allowed: 1...512 bytes"),
        packet(
            "pad beyond a packet", ["{ pad: 513 }"], at: "packet[0].pad",
            "found 513; allowed: a whole number 1...512"),
        packet(
            "now of another kind", ["{ now: unix64 }"], at: "packet[0].now",
            "found unix64; did you mean unix32? Allowed: unix32"),
        packet(
            "checksum that is none", ["{ a: u8 }", "{ checksum: crc16 }"], line: 17, at: "packet[1].checksum",
            "found crc16; allowed: sum8"),
        packet(
            "checksum of an odd width", ["{ a: u8 }", "{ checksum: { width: 12, poly: 1 } }"], line: 17,
            at: "packet[1].checksum.width", "found 12; did you mean 16? Allowed: 8 16 32"),
        packet(
            "checksum without a polynomial", ["{ a: u8 }", "{ checksum: { width: 8, poly: 0 } }"], line: 17,
            at: "packet[1].checksum.poly", "found 0; allowed: a whole number 1...255"),
        packet(
            "checksum that starts beyond its width",
            ["{ a: u8 }", "{ checksum: { width: 8, poly: 7, init: 256 } }"], line: 17,
            at: "packet[1].checksum.init", "found 256; allowed: a whole number 0...255"),
        packet(
            "checksum that ends beyond its width",
            ["{ a: u8 }", "{ checksum: { width: 8, poly: 7, xor: 256 } }"], line: 17,
            at: "packet[1].checksum.xor", "found 256; allowed: a whole number 0...255"),
        packet(
            "reflect of a number", ["{ a: u8 }", "{ checksum: { width: 8, poly: 7, reflect: 1 } }"], line: 17,
            at: "packet[1].checksum.reflect", "found 1; allowed: true or false"),
        packet(
            "over with one end", ["{ a: u8 }", "{ checksum: sum8, over: [0] }"], line: 17,
            at: "packet[1].over", "found a list; allowed: [first, last]"),
        packet(
            "if of what comes later", ["{ a: u8, if: { b: 1 } }", "{ b: u8 }"], at: "packet[0].if.b",
            "found b; allowed: an earlier field: remaining"),
        packet(
            "if without a comparison", ["{ b: u8 }", "{ a: u8, if: { b: { mask: 1 } } }"], line: 17,
            at: "packet[1].if.b", "found no comparison; allowed: equals at_least at_most"),
        packet(
            "if with a word", ["{ b: u8 }", "{ a: u8, if: { b: { equal: 1 } } }"], line: 17,
            at: "packet[1].if.b.equal", "not known here; did you mean equals? Allowed"),
        packet(
            "if that is a list", ["{ a: u8, if: [] }"], at: "packet[0].if",
            "found a list; allowed: a mapping such as"),
        packet(
            "if remaining of a word", ["{ a: u8, if: { remaining: x } }"], at: "packet[0].if.remaining",
            "found x; allowed: a whole number 1...512"),
        packet(
            "a packet too long", ["{ skip: 512 }", "{ a: u8 }"], line: 15, at: "packet",
            "found a packet of 513 bytes; allowed: at most 512"),
        packet(
            "exact that is a number", ["{ a: u8 }"], line: 15, at: "exact", "found 1; allowed: true or false",
            beside: "exact: 1"),
        packet(
            "65 items", Array(repeating: "{ skip: 1 }", count: 65), line: 15, at: "packet",
            "found 65; allowed: at most 64"),
    ]

    static let all = packets + commands + files + features + version2 + advertisements + proxies
}
