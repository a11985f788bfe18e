extension MisuseRow {
    static let files: [MisuseRow] = [
        file(
            "another version", "version: 1", "version: 3", line: 1, at: "version", "found 3; allowed: 1 or 2"),
        file("no version", "version: 1\n", "", line: 1, at: "", "version is missing; allowed: 1"),
        file(
            "a family in capitals", "family: probe", "family: Probe", line: 2, at: "family",
            "found Probe; allowed: a family's name"),
        file("no title", "title: Probe\n", "", line: 1, at: "", "title is missing"),
        file("no source", "source: https://example.org\n", "", line: 1, at: "", "source is missing"),
        file(
            "a key that is none", "title: Probe", "titel: Probe", line: 3, at: "titel",
            "not known here; did you mean title? Allowed: version family title"),
        file(
            "a match without letters", #"name: "Probe*""#, #"name: "Pr*""#, line: 5, at: "match[0].name",
            "found Pr*; allowed: a name with at least three characters"),
        file(
            "a match of nothing", #"{ name: "Probe*" }"#, "{}", line: 5, at: "match[0]",
            "found nothing; allowed: name service"),
        file("no match", #"[ { name: "Probe*" } ]"#, "[]", line: 5, at: "match", "found an empty list"),
        file(
            "a match of a number", #"name: "Probe*""#, "manufacturer: 70000", line: 5,
            at: "match[0].manufacturer", "found 70000; allowed: a whole number 0...65535"),
        file(
            "data without a maker", #"name: "Probe*""#, #"name: "Probe*", data: "02""#, line: 5,
            at: "match[0]", "manufacturer is missing"),
        file(
            "an address that is none", #"name: "Probe*""#, "address: probe", line: 5, at: "match[0].address",
            "found probe; allowed: an address such as"),
        file(
            "a UUID with 0x", "uuid: ff01", "uuid: 0xff01", line: 7, at: "characteristics.out.uuid",
            "found 0xff01; allowed: a UUID of 4, 8 or 32"),
        file(
            "a UUID that is missing", ", uuid: ff01", "", line: 7, at: "characteristics.out",
            "uuid is missing"),
        file(
            "a characteristic again", "uuid: ff02", "uuid: ff01", line: 8, at: "characteristics.in",
            "found the characteristic of out; allowed: one name for each"),
        file(
            "ignore without lines", "uuid: ff02", "uuid: ff02, ignore: [OK]", line: 8,
            at: "characteristics.in.ignore", "found ignore without lines"),
        file(
            "lines of nothing", "uuid: ff02", #"uuid: ff02, lines: """#, line: 8,
            at: "characteristics.in.lines", "found the text \"\"; allowed: the end of a line"),
        file(
            "idle_ms of nothing", "uuid: ff02", "uuid: ff02, idle_ms: 0", line: 8,
            at: "characteristics.in.idle_ms", "found 0; allowed"),
        file(
            "optional of a word", "uuid: ff02", "uuid: ff02, optional: on", line: 8,
            at: "characteristics.in.optional", "found on; allowed: true or false"),
        file(
            "a step that is none", "subscribe: out", "notify: out", line: 9, at: "setup[0].notify",
            "not known here; allowed: subscribe else_read_s read write"),
        file(
            "two steps in one", "subscribe: out", "subscribe: out, read: in", line: 9, at: "setup[0]",
            "found subscribe and read; allowed: one of"),
        file(
            "else_read_s of a read", "subscribe: out", "read: out, else_read_s: 5", line: 9,
            at: "setup[0].else_read_s", "found else_read_s, but nothing is subscribed"),
        file(
            "a source that is neither subscribed nor read", "subscribe: out", "subscribe: in", line: 11,
            at: "features.value.from", "found out, which is neither subscribed nor read"),
        file(
            "bonding that is none", "title: Probe", "title: Probe\nbonding: sometimes", line: 4,
            at: "bonding", "found sometimes; allowed: never if_asked always"),
        file(
            "notifications that are neither", "title: Probe", "title: Probe\nnotifications: sockets", line: 4,
            at: "notifications", "found sockets; allowed: auto signals"),
        file(
            "connect that is none", "title: Probe", "title: Probe\nconnect: never", line: 4, at: "connect",
            "found never; allowed: always on_request"),
        file(
            "join that is none", "title: Probe", "title: Probe\njoin: all", line: 4, at: "join",
            "found all; allowed: named plain"),
        file(
            "naming that is none", "title: Probe", "title: Probe\nnaming: many", line: 4, at: "naming",
            "found many; allowed: single each"),
        file(
            "plural in capitals", "title: Probe", "title: Probe\nplural: Probes", line: 4, at: "plural",
            "found Probes; allowed: a group's name"),
        file(
            "every without seconds", "title: Probe", "title: Probe\nevery: [ { read: out } ]", line: 4,
            at: "every[0]", "seconds is missing"),
        file(
            "every without a deed", "title: Probe", "title: Probe\nevery: [ { seconds: 1 } ]", line: 4,
            at: "every[0]", "found none of them; allowed: one of read write"),
        file(
            "a stop with a field", "title: Probe", "title: Probe\nstop: [ { to: out, text: \"{a}\" } ]",
            line: 4, at: "stop[0].text", "found {a}; allowed: no fields here"),
        file(
            "a will that waits", "title: Probe", "title: Probe\nwill: [ { to: out, hex: 00, wait_ms: 5 } ]",
            line: 4, at: "will[0].wait_ms", "not known here; allowed: to packet"),
        file(
            "a goodbye with a field", "title: Probe",
            "title: Probe\ngoodbye: [ { to: out, packet: [ { a: u8 } ] } ]", line: 4,
            at: "goodbye[0].packet[0].a", "found a, which has no value source"),
        file(
            "a setting that is no field", "title: Probe", "title: Probe\nsettings: { pin: 5 }", line: 4,
            at: "settings.pin", "found 5; allowed: a mapping with type"),
        file(
            "a secret of a word", "title: Probe",
            "title: Probe\nsettings: { pin: { type: text, secret: 1 } }", line: 4, at: "settings.pin.secret",
            "found 1; allowed: true or false"),
        file(
            "haptic of what is no command", "title: Probe",
            "title: Probe\nhaptic: { feature: value, field: a, scale: [0, 1] }", line: 4,
            at: "haptic.feature", "found value; allowed: "),
        file(
            "an example of nothing", "title: Probe", "title: Probe\nexamples: [ { publishes: {} } ]", line: 4,
            at: "examples[0]", "found none of them; allowed: one of notify"),
        file(
            "an example without bytes", "title: Probe", "title: Probe\nexamples: [ { notify: out } ]",
            line: 4, at: "examples[0]", "found none of them; allowed: one of hex text"),
        file(
            "an example of no feature", "title: Probe",
            "title: Probe\nexamples: [ { notify: out, hex: 00, publishes: { valeu: 1 } } ]", line: 4,
            at: "examples[0].publishes.valeu", "found valeu, which publishes nothing; allowed: value"),
        file(
            "an example with an error that is none", "title: Probe",
            "title: Probe\nexamples: [ { notify: out, hex: 00, error: bad } ]", line: 4,
            at: "examples[0].error", "found bad; allowed: invalid_payload"),
        file(
            "an example with a write to nothing", "title: Probe",
            "title: Probe\nexamples: [ { notify: out, hex: 00, writes: [ { to: up, hex: 00 } ] } ]", line: 4,
            at: "examples[0].writes[0].to", "found up; allowed: "),
        file(
            "an example of no command", "title: Probe", "title: Probe\nexamples: [ { command: value } ]",
            line: 4, at: "examples[0].command", "found value; allowed: "),
        file(
            "an example of no time", "title: Probe", "title: Probe\nexamples: [ { advance_ms: 0 } ]", line: 4,
            at: "examples[0].advance_ms", "found 0; allowed"),
        file("no YAML", "title: Probe", "title: %Probe", line: 3, at: "", "not valid YAML: "),
        file(
            "a key twice", "title: Probe", "title: Probe\ntitle: Probe", line: 4, at: "",
            "the key title appears more than once"),
    ]

    static let features: [MisuseRow] = [
        feature(
            "a feature without a sentence", "kind: state\nfrom: out\npacket: [ { a: u8 } ]", line: 11, at: "",
            "summary is missing"),
        feature("a feature of nothing", "summary: x", line: 11, at: "", "found neither from nor command"),
        feature(
            "a kind that is none", "summary: x\nkind: status\nfrom: out\npacket: [ { a: u8 } ]", line: 13,
            at: "kind", "found status; did you mean state? Allowed: state event stream"),
        feature(
            "no kind", "summary: x\nfrom: out\npacket: [ { a: u8 } ]", line: 11, at: "",
            "kind is missing; allowed: state event stream"),
        feature(
            "no packet", "summary: x\nkind: state\nfrom: out", line: 11, at: "",
            "found none of them; allowed: one of packet line"),
        feature(
            "a line of a packet", "summary: x\nkind: state\nfrom: out\nline: \"{a:word}\"", line: 15,
            at: "line", "found line, but out has no lines"),
        feature(
            "nothing to publish", "summary: x\nkind: state\nfrom: out\npacket: [ { skip: 1 } ]", line: 14,
            at: "from", "found nothing that is published"),
        feature(
            "an event of two",
            "summary: x\nkind: event\nfrom: [out, in]\npacket: { out: [ { a: u8 } ], in: [ { b: u8 } ] }",
            line: 14, at: "from", "found a list; allowed: one characteristic for an event"),
        feature(
            "two with one field",
            "summary: x\nkind: state\nfrom: [out, in]\npacket: { out: [ { a: u8 } ], in: [ { a: u8 } ] }",
            line: 14, at: "from", "found the field a of two characteristics"),
        feature(
            "two without their packets", "summary: x\nkind: state\nfrom: [out, in]\npacket: [ { a: u8 } ]",
            line: 11, at: "", "packet is missing; allowed: a mapping with a packet for each"),
        feature(
            "time of an event", "summary: x\nkind: event\nfrom: out\npacket: [ { time: u8 } ]", line: 14,
            at: "from", "found the field time, which every event has"),
        feature(
            "min_interval_ms of a state",
            "summary: x\nkind: state\nfrom: out\npacket: [ { a: u8 } ]\nmin_interval_ms: 5", line: 16,
            at: "min_interval_ms", "found min_interval_ms of a state"),
        feature(
            "skip of no field", "summary: x\nkind: state\nfrom: out\npacket: [ { a: u8 } ]\nskip: { b: 1 }",
            line: 16, at: "skip.b", "not known here; did you mean a? Allowed: a"),
        feature(
            "skip of a value outside",
            "summary: x\nkind: state\nfrom: out\npacket: [ { a: u8 } ]\nskip: { a: 256 }", line: 16,
            at: "skip.a", "found 256; allowed: a whole number 0...255"),
        feature(
            "changed of a word", "summary: x\nkind: state\nfrom: out\npacket: [ { a: u8 } ]\nchanged: 1",
            line: 16, at: "changed", "found 1; allowed: true or false"),
        feature(
            "object without a report", "summary: x\nobject: true\ncommand: { write: { to: out, hex: 00 } }",
            line: 13, at: "object", "found object, but nothing is published"),
        feature(
            "latest without a command",
            "summary: x\nkind: state\nfrom: out\npacket: [ { a: u8 } ]\nlatest: true", line: 16, at: "latest",
            "found latest, but there is no command"),
        feature(
            "pace_ms of nothing", "summary: x\npace_ms: 0\ncommand: { write: { to: out, hex: 00 } }",
            line: 13, at: "pace_ms", "found 0; allowed"),
        feature(
            "a lease without an end", "summary: x\nlease_ms: 500\ncommand: { write: { to: out, hex: 00 } }",
            line: 13, at: "lease_ms", "found lease_ms without a write for its end"),
        feature(
            "an end without a lease",
            "summary: x\nend: { to: out, hex: 00 }\ncommand: { write: { to: out, hex: 00 } }", line: 13,
            at: "end", "found end without lease_ms"),
        feature(
            "hazardous without a stop",
            "summary: x\nlease_ms: 500\nend: { to: out, hex: 00 }\nhazardous: true\ncommand: { write: { to: out, hex: 00 } }",
            line: 15, at: "hazardous", "found hazardous; allowed: with lease_ms, and with stop and will"),
        feature(
            "echo of nothing", "summary: x\necho: true\ncommand: { write: { to: out, hex: 00 } }", line: 13,
            at: "echo", "found echo, but the command has no fields"),
        feature(
            "echo of what is written elsewhere",
            "summary: x\nkind: state\nfrom: out\npacket: [ { a: u8 } ]\necho: true\ncommand: { write: { to: in, hex: 00 } }",
            line: 16, at: "echo", "found echo, but nothing is written to out; allowed: a write to it"),
        feature(
            "echo of an event",
            "summary: x\nkind: event\nfrom: out\npacket: [ { a: u8 } ]\necho: true\ncommand: { write: { to: out, hex: 00 } }",
            line: 16, at: "echo", "found echo together with kind: event"),
        feature(
            "confirm of a word", "summary: x\nconfirm: 1\ncommand: { write: { to: out, hex: 00 } }", line: 13,
            at: "confirm", "found 1; allowed: true or false"),
        feature(
            "a command without a write", "summary: x\ncommand: { fields: {} }", line: 13, at: "command",
            "write is missing"),
        feature(
            "a shorthand that is no field",
            "summary: x\ncommand: { fields: { a: { type: boolean } }, shorthand: b, write: { to: out, hex: 00 } }",
            line: 13, at: "command.shorthand", "found b; did you mean a? Allowed: a"),
        feature(
            "a shorthand without fields",
            "summary: x\ncommand: { shorthand: b, write: { to: out, hex: 00 } }", line: 13,
            at: "command.shorthand", "found shorthand, but there are no fields"),
        feature(
            "an example that does not fit",
            "summary: x\ncommand: { fields: { a: { type: boolean } }, shorthand: a, example: maybe, write: { to: out, hex: 00 } }",
            line: 13, at: "command.example", "found maybe; a: true or false"),
        haptic("haptic without a stop", at: "haptic", "found haptic; allowed: with stop and will"),
        haptic(
            "haptic that is off at no value of the field", "off: 10", at: "haptic.off",
            "found the strength 10; allowed: a whole number 0...9"),
        haptic(
            "haptic without a shortest time", "shortest_ms: 0", at: "haptic.shortest_ms",
            "found 0; allowed: a whole number 1...10000"),
    ]

    /// A file whose `haptic`, in line 14, has these keys besides the required ones.
    private static func haptic(
        _ name: String, _ keys: String = "off: 0", at path: String, _ message: String
    ) -> MisuseRow {
        let command =
            "command: { fields: { a: { type: integer, minimum: 0, maximum: 9 } }, write: { to: out, packet: [ { a: u8 } ] } }"
        let text = Sample.text(
            features: "value:\n  summary: x\n  \(command)",
            more: "haptic: { feature: value, field: a, scale: [0, 9], \(keys) }")
        return MisuseRow(name: name, text: text, line: 14, path: path, message: message)
    }
}
