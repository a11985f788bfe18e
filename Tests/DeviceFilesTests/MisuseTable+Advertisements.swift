extension MisuseRow {
    /// A device that only advertises, with its kinds of data in line 7, its feature in line 9 and more from line 14 on.
    private static func advertised(
        _ name: String, _ kinds: String = "{ data: { service_data: fcd2 } }", more: String = "",
        line: Int = 7,
        at path: String, _ message: String, replacing old: String = "", by new: String = ""
    ) -> MisuseRow {
        let text = """
            version: 2
            family: probe
            title: Probe
            source: https://example.org
            match: [ { name: "Probe*" } ]
            connect: never
            advertisements: \(kinds)
            features:
              value:
                summary: A value.
                kind: state
                from: data
                packet: [ { a: u8 } ]
            \(more)
            """
        return MisuseRow(
            name: name, text: old.isEmpty ? text : text.replacing(old, with: new), line: line, path: path,
            message: message)
    }

    static let advertisements: [MisuseRow] = [
        advertised(
            "advertised data of nothing", "{ data: {} }", at: "advertisements.data",
            "found none of them; allowed: one of service_data manufacturer_data"),
        advertised(
            "advertised data of two kinds", "{ data: { service_data: fcd2, manufacturer_data: 1 } }",
            at: "advertisements.data",
            "found service_data and manufacturer_data; allowed: one of service_data manufacturer_data"),
        advertised(
            "a company number that is too large", "{ data: { manufacturer_data: 65536 } }",
            at: "advertisements.data.manufacturer_data", "found 65536; allowed: a whole number 0...65535"),
        advertised(
            "a prefix that is no hex", "{ data: { service_data: fcd2, prefix: 4x } }",
            at: "advertisements.data.prefix", "found 4x; allowed: 1...64 bytes as pairs"),
        advertised(
            "decrypt without bthome2", "{ data: { service_data: fcd2, decrypt: {} } }",
            at: "advertisements.data.decrypt", "bthome2 is missing; allowed: a setting with secret: true"),
        advertised(
            "a key that is no secret", "{ data: { service_data: fcd2, decrypt: { bthome2: key } } }",
            more: "settings: { key: { type: text, default: \"\" } }",
            at: "advertisements.data.decrypt.bthome2", "found key; allowed: a setting with secret: true"),
        advertised(
            "no kind of data", "{}", at: "advertisements", "found nothing; allowed: at least one name"),
        advertised(
            "a device that only advertises without its data", line: 1, at: "",
            "advertisements is missing; allowed: a mapping of names", replacing: "advertisements:",
            by: "#"),
        advertised(
            "silent_s that is too short", more: "silent_s: 9", line: 14, at: "silent_s",
            "found 9; allowed: 0, or 10...604800"),
        advertised(
            "bonding of a device that is never connected", more: "bonding: always", line: 14, at: "bonding",
            "found bonding, but the device is never connected; allowed: omit it"),
        advertised(
            "a command of a device that is never connected", line: 10, at: "features.value.command",
            "found command, but the device is never connected", replacing: "    summary: A value.",
            by: "    command: { write: { to: data, hex: 00 } }\n    summary: A value."),
        advertised(
            "advertisements of a device that is connected", line: 7, at: "advertisements",
            "found advertisements, but the device is connected; connect: never is for them",
            replacing: "connect: never",
            by: "characteristics: { data: { service: ff00, uuid: ff01 } }"),
        advertised(
            "an example that notifies advertised data", more: "examples: [ { notify: data, hex: 00 } ]",
            line: 14, at: "examples[0].notify",
            "found notify of data; allowed: advertise of advertised data"),
        advertised(
            "an example with a visit of a device that is not visited", more: "examples: [ { visit: {} } ]",
            line: 14, at: "examples[0].visit", "found visit, but the bridge does not visit the device"),
        advertised(
            "an example with a device in a later step",
            more: "examples: [ [ { advance_ms: 1 }, { advance_ms: 1, device: {} } ] ]", line: 14,
            at: "examples[0][1].device", "found device; allowed: in the first step, alone"),
        advertised(
            "an example with a device that has no address",
            more: "examples: [ [ { device: { address: probe } }, { advance_ms: 1 } ] ]", line: 14,
            at: "examples[0][0].device.address", "found probe; allowed: an address such as"),
        advertised(
            "an example with a device that answers reads of nothing",
            more: "examples: [ [ { device: { reads: { data: zz } } }, { advance_ms: 1 } ] ]", line: 14,
            at: "examples[0][0].device.reads.data", "found "),
        advertised(
            "an example with an answer of a word", more: "examples: [ { advance_ms: 1, answer: ok } ]",
            line: 14, at: "examples[0].answer", "found ok; allowed: a mapping of fields to values"),
        advertised(
            "an example with available of a word", more: "examples: [ { advance_ms: 1, available: online } ]",
            line: 14, at: "examples[0].available", "found online; allowed: true or false"),
    ]
}
