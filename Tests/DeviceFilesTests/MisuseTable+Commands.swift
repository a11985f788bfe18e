extension MisuseRow {
    static let commands: [MisuseRow] = [
        command(
            "a type of field that is none", "a: { type: int }", "{ to: out, text: x }", line: 14,
            at: ".fields.a.type", "found int; allowed: boolean integer"),
        command(
            "a field without a type", "a: { minimum: 1 }", "{ to: out, text: x }", line: 14, at: ".fields.a",
            "type is missing; allowed"),
        command(
            "maximum of a text", "a: { type: text, maximum: 3 }", "{ to: out, text: x }", line: 14,
            at: ".fields.a.maximum", "found maximum, but the type text has no such property"),
        command(
            "maximum below minimum", "a: { type: integer, minimum: 3, maximum: 1 }", "{ to: out, text: x }",
            line: 14, at: ".fields.a.maximum", "found 1; allowed: at least the minimum, 3"),
        command(
            "a choice without values", "a: { type: choice }", "{ to: out, text: x }", line: 14,
            at: ".fields.a", "values is missing"),
        command(
            "a word again", "a: { type: choice, values: [x, x] }", "{ to: out, text: x }", line: 14,
            at: ".fields.a.values", "found a repeated word"),
        command(
            "a default outside", "a: { type: integer, maximum: 3, default: 4 }", "{ to: out, text: x }",
            line: 14, at: ".fields.a.default", "found 4; allowed: a whole number"),
        command(
            "required and default", "a: { type: boolean, required: true, default: true }",
            "{ to: out, text: x }", line: 14, at: ".fields.a", "found required and default"),
        command(
            "length upside down", "a: { type: text, length: [4, 2] }", "{ to: out, text: x }", line: 14,
            at: ".fields.a.length", "found the shortest length above the longest"),
        command(
            "a list without items", "a: { type: list }", "{ to: out, text: x }", line: 14, at: ".fields.a",
            "items is missing"),
        command(
            "a name that commands have", "id: { type: text }", "{ to: out, text: x }", line: 14,
            at: ".fields.id", "found the name id, which every command has"),
        command(
            "a characteristic that is none", "a: { type: boolean }", "{ to: ou, text: x }", line: 15,
            at: ".write.to", "found ou; did you mean out? Allowed: out in"),
        command(
            "no bytes", "a: { type: boolean }", "{ to: out }", line: 15, at: ".write",
            "found none of them; allowed: one of packet text hex"),
        command(
            "bytes twice", "a: { type: boolean }", "{ to: out, text: x, hex: 00 }", line: 15, at: ".write",
            "found text and hex; allowed: one of"),
        command(
            "a field that is none", "level: { type: boolean }", #"{ to: out, text: "{levle}" }"#, line: 15,
            at: ".write.text", "found {levle}; did you mean level? Allowed: level"),
        command(
            "a field that may be missing", "a: { type: text, required: false }", #"{ to: out, text: "{a}" }"#,
            line: 15, at: ".write.text", "found {a}, which may be omitted"),
        command(
            "a list without a format", "a: { type: list, items: { type: integer } }",
            #"{ to: out, text: "{a}" }"#, line: 15, at: ".write.text",
            "found the list {a}; allowed: {a:base64} or {a:hex}"),
        command(
            "bytes that are none", "a: { type: integer }", #"{ to: out, text: "{a:hex}" }"#, line: 15,
            at: ".write.text", "found {a:hex}; allowed: text, or integers from 0 to 255"),
        command(
            "a format that is none", "a: { type: integer }", #"{ to: out, text: "{a:%5s}" }"#, line: 15,
            at: ".write.text", "found the format %5s; allowed: base64 hex %"),
        command(
            "hexadecimal digits of a number", "a: { type: number }", #"{ to: out, text: "{a:%x}" }"#,
            line: 15, at: ".write.text", "found the format %x for a number"),
        command(
            "a single brace", "a: { type: integer }", #"{ to: out, text: "{a" }"#, line: 15,
            at: ".write.text", "found a single {; allowed: {name}, {{ and }}"),
        command(
            "an item without a value", "a: { type: integer }", "{ to: out, packet: [ { b: u8 } ] }", line: 15,
            at: ".write.packet[0].b", "found b, which has no value source"),
        command(
            "a hidden item without a value", "a: { type: integer }", "{ to: out, packet: [ { _b: u8 } ] }",
            line: 15, at: ".write.packet[0]._b", "found _b, which has no value source"),
        command(
            "remaining in what is written", "a: { type: integer }",
            "{ to: out, packet: [ { a: u8, if: { remaining: 1 } } ] }", line: 15,
            at: ".write.packet[0].if.remaining", "found remaining; allowed: an earlier field: a"),
        command(
            "an if of a value that is none", "a: { type: boolean }", "{ to: out, text: x, if: { a: maybe } }",
            line: 15, at: ".write.if.a", "found maybe; allowed: true or false"),
        command(
            "a comparison of a word", "a: { type: choice, values: [x, y] }",
            "{ to: out, text: x, if: { a: { at_least: 2 } } }", line: 15, at: ".write.if.a.at_least",
            "not known here; allowed: equals given"),
        command(
            "an if of a field that is none", "a: { type: boolean }", "{ to: out, text: x, if: { b: true } }",
            line: 15, at: ".write.if.b", "not known here; did you mean a? Allowed: a"),
        command(
            "with that is none", "a: { type: boolean }", "{ to: out, text: x, with: response }", line: 15,
            at: ".write.with", "found response; allowed: request command"),
        command(
            "wait of what is not subscribed", "a: { type: boolean }",
            "{ to: out, text: x, wait: { from: in, contains: x } }", line: 15, at: ".write",
            "found a wait for in, which setup does not subscribe"),
        command(
            "wait with two targets", "a: { type: boolean }",
            "{ to: out, text: x, wait: { from: out, contains: x, hex: 00 } }", line: 15, at: ".write.wait",
            "found hex and contains; allowed: one of"),
        command(
            "wait for half a byte", "a: { type: boolean }",
            #"{ to: out, text: x, wait: { from: out, hex: "0" } }"#, line: 15, at: ".write.wait.hex",
            "found the text \"0\"; allowed: 1...64 bytes"),
        command(
            "within_ms of nothing", "a: { type: boolean }",
            "{ to: out, text: x, wait: { from: out, contains: x, within_ms: 0 } }", line: 15,
            at: ".write.wait.within_ms", "found 0; allowed: a whole number 1...60000"),
        command(
            "fail that is a list", "a: { type: boolean }",
            "{ to: out, text: x, wait: { from: out, contains: x, fail: [] } }", line: 15,
            at: ".write.wait.fail", "found a list; allowed: text"),
        command(
            "read_back with split", "a: { type: boolean }",
            "{ to: out, text: x, read_back: true, split: true }", line: 15, at: ".write",
            "found read_back and split"),
        command(
            "wait_ms of a word", "a: { type: boolean }", "{ to: out, text: x, wait_ms: long }", line: 15,
            at: ".write.wait_ms", "found long; allowed: a whole number"),
        command(
            "split that is no truth value", "a: { type: boolean }", "{ to: out, text: x, split: 1 }",
            line: 15, at: ".write.split", "found 1; allowed: true or false"),
    ]
}
