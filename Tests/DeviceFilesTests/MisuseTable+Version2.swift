extension MisuseRow {
    /// A file of version 2 whose control point `out` has these answers, in line 7.
    private static func answers(
        _ name: String, _ answers: String, write: String = "{ to: out, hex: 00 }", line: Int = 7,
        at path: String,
        _ message: String
    ) -> MisuseRow {
        let text = Sample.text(fields: "", write: write).replacing("version: 1", with: "version: 2")
            .replacing(
                "{ service: ff00, uuid: ff01 }", with: "{ service: ff00, uuid: ff01, answers: \(answers) }")
        return MisuseRow(name: name, text: text, line: line, path: path, message: message)
    }

    private static func beside(_ name: String, _ key: String, at path: String, _ message: String) -> MisuseRow
    {
        packet(
            name, ["{ a: u8 }", "{ b: i8 }"], line: 15, at: path, message, beside: key, version: 2)
    }

    /// A file of version 2 with visits, in line 4.
    private static func visit(
        _ name: String, _ visit: String, connect: String = "visit", more: String = "", line: Int = 4,
        at path: String, _ message: String
    ) -> MisuseRow {
        let settings = "settings: { pause: { type: integer, minimum: 1, default: 60 } }"
        let text = Sample.text(packet: ["{ a: u8 }"], version: 2)
            .replacing("source: https://example.org", with: "visit: \(visit)\nsource: https://example.org")
        return MisuseRow(
            name: name, text: text + "connect: \(connect)\n\(settings)\n\(more)\n", line: line, path: path,
            message: message)
    }

    /// A feature whose command has a Boolean and an integer, with an entity in line 13.
    private static func entity(
        _ name: String, _ entity: String, required: Bool = false, at path: String, _ message: String
    ) -> MisuseRow {
        let fields =
            "a: { type: boolean, required: false }, b: { type: integer, maximum: 9, required: \(required) }"
        return feature(
            name,
            "summary: x\nentity: \(entity)\ncommand: { fields: { \(fields) }, write: { to: out, hex: 00 } }",
            line: 13, at: path, message)
    }

    static let version2: [MisuseRow] = [
        packet(
            "a type of version 2", ["{ a: tagged, of: { 1: [ { b: u8 } ] } }"], at: "packet[0].a",
            "found tagged; allowed: with version: 2"),
        beside("take of no field", "take: [c]", at: "take[0]", "found c; did you mean a? Allowed: a b"),
        beside("new_by of a signed number", "new_by: b", at: "new_by", "found b; did you mean a? Allowed: a"),
        beside(
            "partial that is no truth value", "partial: 1", at: "partial", "found 1; allowed: true or false"),
        beside(
            "derive without ticks", "derive: [ { field: c, rate: a, per: a } ]", at: "derive[0]",
            "ticks is missing"),
        beside(
            "derive of a signed number", "derive: [ { field: c, rate: b, per: a, ticks: 1 } ]",
            at: "derive[0].rate",
            "found b; did you mean a? Allowed: a"),
        beside(
            "a rate that never becomes 0",
            "derive: [ { field: c, rate: a, per: a, ticks: 1, zero_after_ms: 0 } ]",
            at: "derive[0].zero_after_ms", "found 0; allowed: a whole number 1...600000"),
        packet(
            "two words of the format as fields", ["{ unit: u8, name: text }"], at: "packet[0]",
            "found the fields unit and name", version: 2),
        packet(
            "no field, in version 2", ["{ unit: x }"], at: "packet[0]",
            "found no field; allowed: one key that is no qualifier, such as level: u8, or { field: offset, type: u8 }",
            version: 2),
        packet(
            "times outside of tags", ["{ a: u8, times: 2 }"], at: "packet[0].times",
            "found times; allowed: on an item of a tag", version: 2),
        packet(
            "tagged with a published name", ["{ a: tagged, of: { 1: [ { b: u8 } ] } }"], at: "packet[0].a",
            "found tagged; allowed: in a packet that is read", version: 2),
        packet(
            "a tag out of range", ["{ _a: tagged, of: { 256: [ { b: u8 } ] } }"], at: "packet[0].of.256",
            "found 256; allowed: a tag 0...255", version: 2),
        packet(
            "an item of a tag without a length", ["{ _a: tagged, of: { 1: [ { b: text } ] } }"],
            at: "packet[0].of.1",
            "found an item without a length", version: 2),
        packet(
            "skip without the length of tags", ["{ _a: tagged, unknown: skip, of: { 1: [ { b: u8 } ] } }"],
            at: "packet[0].unknown", "found skip without length", version: 2),
        packet(
            "tags of another type", ["{ _a: tagged, tag: u32, of: { 1: [ { b: u8 } ] } }"],
            at: "packet[0].tag", "found u32; allowed: u8 u16", version: 2),
        packet(
            "a reaction to unknown tags that is none",
            ["{ _a: tagged, unknown: drop, of: { 1: [ { b: u8 } ] } }"], at: "packet[0].unknown",
            "found drop; allowed: end refuse skip", version: 2),
        packet(
            "a tag twice", ["{ _a: tagged, of: { 1: [ { b: u8 } ], 0x1: [ { c: u8 } ] } }"],
            at: "packet[0].of.0x1", "found 1 again; allowed: each tag once", version: 2),
        packet(
            "times beyond its limits", ["{ _a: tagged, of: { 1: [ { b: u8, times: 9 } ] } }"],
            at: "packet[0].of.1[0].times", "found 9; allowed: a whole number 2...8", version: 2),
        packet(
            "a time now that is none", ["{ now: unix64 }"], at: "packet[0].now",
            "found unix64; did you mean unix32? Allowed: unix32 date_time", version: 2),
        packet(
            "a length that is a later item", ["{ a: text, length: _n }", "{ _n: u8 }"],
            at: "packet[0].length",
            "found _n; allowed: 1...512", version: 2),
        packet(
            "a zone that is none", ["{ a: date_time, zone: cet }"], at: "packet[0].zone",
            "found cet; allowed: utc local", version: 2),
        packet(
            "a counter that is read", ["{ a: u8, counter: 0 }"], at: "packet[0].counter",
            "found counter; allowed: u8 u16", version: 2),
        answers(
            "answers without a packet", "{ within_ms: 10 }", at: "characteristics.out.answers",
            "packet is missing; allowed: the items of an answer"),
        answers(
            "a refusal of a word", "{ packet: [ { _a: u8 } ], refused: all }",
            at: "characteristics.out.answers.refused", "found all; allowed: "),
        answers(
            "answers of a characteristic that setup does not subscribe",
            "{ from: in, packet: [ { _a: u8 } ] }", line: 15, at: "features.set_value.command.write",
            "found a wait for in, which setup does not subscribe"),
        answers(
            "a byte that no write has", "{ packet: [ { _a: u8, equals: { written: 512 } } ] }",
            at: "characteristics.out.answers.packet[0].equals.written",
            "found 512; allowed: a whole number 0...511"),
        answers(
            "an answer where nothing is awaited", "{ packet: [ { _a: u8 } ] }",
            write: "{ to: in, hex: 00, answer: [ { b: u8 } ] }", line: 15,
            at: "features.set_value.command.write.answer",
            "found answer, but no answers of the characteristic apply"),
        visit(
            "a time between visits that is too short", "{ every_s: 5 }", at: "visit.every_s",
            "found 5; allowed: a whole number 60...604800"),
        visit(
            "a setting without limits as the time between visits", "{ every_s: pause }", at: "visit.every_s",
            "found pause; allowed: a setting of the type integer with a default and limits in 60...604800"),
        visit("visits without tries", "{ every_s: 60, tries: 0 }", at: "visit.tries", "found 0; allowed: "),
        visit(
            "a visit that lasts too long", "{ every_s: 60, at_most_s: 600 }", at: "visit.at_most_s",
            "found 600; allowed: a whole number 5...120"),
        visit(
            "visits that are repeated at once", "{ every_s: 60, retry_s: 0 }", at: "visit.retry_s",
            "found 0; allowed: a whole number 10...86400"),
        visit(
            "visits of a device that stays connected", "{ every_s: 60 }", connect: "always", at: "visit",
            "found visit, but the bridge does not visit the device; connect: visit is for it; allowed: omit it"
        ),
        visit(
            "visits with a stop", "{ every_s: 60 }", more: "stop: [ { to: out, hex: 00 } ]", line: 20,
            at: "stop",
            "found stop, but the bridge leaves the device after each visit; allowed: omit it"),
        entity(
            "an entity that is none", "{ lamp: on }", at: "entity.lamp",
            "not known here; allowed: light switch valve"),
        entity(
            "an entity with two platforms", "{ switch: a, valve: a }", at: "entity",
            "found switch and valve; allowed: one of light switch valve"),
        entity(
            "a switch of a field with many values", "{ switch: b }", at: "entity.switch",
            "found b; allowed: a field of the command that is a boolean or one of two words: a"),
        entity(
            "a light without a field for its power", "{ light: { effect: a } }", at: "entity.light",
            "power is missing; allowed: a field of the command"),
        entity(
            "a light whose color is a number", "{ light: { power: a, rgb: b } }", at: "entity.light.rgb",
            "found b; allowed: a list of three integers 0...255 of the command; there is none"),
        entity(
            "a light whose color temperature is a boolean", "{ light: { power: a, color_temp: a } }",
            at: "entity.light.color_temp", "found a; allowed: an integer of the command: b"),
        entity(
            "a light whose effect is a number", "{ light: { power: a, effect: b } }",
            at: "entity.light.effect", "found b; allowed: a choice of the command; there is none"),
        entity(
            "a light without a brightest value", "{ light: { power: a, brightness: b, full: 0 } }",
            at: "entity.light.full", "found 0; allowed: a whole number 1...65535"),
        entity(
            "of_rgb without rgb", "{ light: { power: a, brightness: of_rgb } }",
            at: "entity.light.brightness",
            "found of_rgb; allowed: with rgb, and without a field brightness"),
        entity(
            "a switch of a command with another required field", "{ switch: a }", required: true,
            at: "entity.switch", "found no b, which the command requires; allowed: with required: false"),
        entity(
            "a button whose payload the command refuses", "{ button: [ { b: 300 } ] }",
            at: "entity.button[0]",
            "found a mapping; "),
        entity(
            "a binary sensor without a state", "{ binary_sensor: a }", at: "entity.binary_sensor",
            "found a; allowed: a field of the state that is a boolean or one of two words; there is none"),
        entity(
            "an event entity of a command", "{ event: a }", at: "entity.event",
            "found a; allowed: a field of the event with words; there is none"),
        feature(
            "show of a word", "summary: x\nshow: no\ncommand: { write: { to: out, hex: 00 } }", line: 13,
            at: "show", "found no; allowed: true or false"),
        feature(
            "a shared packet that is none", "summary: x\nkind: state\nfrom: out\npacket: objects", line: 15,
            at: "packet", "found objects; allowed: "),
        feature(
            "a read of what is not there", "summary: x\ncommand: { write: { read: level } }", line: 13,
            at: "command.write.read", "found level; allowed: out in"),
        feature(
            "within_ms of nothing", "summary: x\ncommand: { write: { to: out, hex: 00, within_ms: 0 } }",
            line: 13, at: "command.write.within_ms", "found within_ms, but no answers"),
        file(
            "a condition on an unknown fact", "[ { subscribe: out } ]",
            "[ { subscribe: out, if: { value.b: 1 } } ]", line: 9, at: "setup[0].if.value.b",
            "not known here; did you mean value.a? Allowed: value.a"),
        file(
            "data of a company and of a service", #"{ name: "Probe*" }"#,
            "{ service_data: fcd2, manufacturer: 1, data: 40 }", line: 5, at: "match[0].data",
            "found data of two kinds; allowed: manufacturer or service_data in an entry"),
        file(
            "alternatives of nothing", "uuid: ff02", "uuid: ff02, also: []", line: 8,
            at: "characteristics.in.also", "found an empty list; allowed: 1...8 pairs"),
        file(
            "an alternative without a UUID", "uuid: ff02", "uuid: ff02, also: [ { service: ff00 } ]", line: 8,
            at: "characteristics.in.also[0]", "uuid is missing"),
        file(
            "info that is none", "title: Probe", "title: Probe\ninfo: { vendor: x }", line: 4,
            at: "info.vendor", "not known here; allowed: manufacturer model"),
        feature(
            "needs of an unknown field",
            "summary: x\nneeds: { value.b: true }\ncommand: { write: { to: out, hex: 00 } }",
            line: 13, at: "needs.value.b", "not known here; allowed: "),
    ].map { row in
        row.text.hasPrefix("version: 2") || row.message.hasSuffix("version: 2")
            ? row
            : MisuseRow(
                name: row.name, text: row.text.replacing("version: 1", with: "version: 2"), line: row.line,
                path: row.path, message: row.message)
    }
}
