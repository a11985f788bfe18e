extension MisuseRow {
    /// A file with `proxy: true` in line 4, and another line after it.
    private static func proxy(_ name: String, with line: String, _ found: String) -> MisuseRow {
        file(
            name, "title: Probe", "title: Probe\nproxy: true\n\(line)", line: 4, at: "proxy",
            "found true together with \(found); allowed: true only without haptic, will, hazardous and lease_ms"
        )
    }

    /// A file whose feature has these lines, with `proxy: true` below it.
    private static func proxy(
        _ name: String, of feature: String, line: Int, more: String = "", _ found: String
    ) -> MisuseRow {
        MisuseRow(
            name: name,
            text: Sample.text(
                features: "value:\n\(feature.indented(2))", more: "proxy: true\n\(more)"),
            line: line, path: "proxy",
            message:
                "found true together with \(found); allowed: true only without haptic, will, hazardous and lease_ms"
        )
    }

    static let proxies: [MisuseRow] = [
        file(
            "a proxy of a word", "title: Probe", "title: Probe\nproxy: allowed", line: 4, at: "proxy",
            "found allowed; allowed: true or false"),
        proxy("a proxy for a device with a will", with: "will: [ { to: out, hex: 00 } ]", "will"),
        proxy(
            "a proxy for a device with a lease",
            of: """
                summary: x
                lease_ms: 500
                end: { to: out, hex: 00 }
                command: { write: { to: out, hex: 00 } }
                """, line: 16, "lease_ms of value"),
        proxy(
            "a proxy for a device that moves",
            of: """
                summary: x
                lease_ms: 500
                hazardous: true
                command: { write: { to: out, hex: 00 } }
                """, line: 16, more: "stop: [ { to: out, hex: 00 } ]\nwill: [ { to: out, hex: 00 } ]",
            "will and hazardous of value and lease_ms of value"),
        proxy(
            "a proxy for a device that vibrates",
            of: """
                summary: x
                command:
                  fields: { a: { type: integer, minimum: 0, maximum: 9 } }
                  write: { to: out, packet: [ { a: u8 } ] }
                """, line: 16,
            more: """
                haptic: { feature: value, field: a, scale: [0, 9] }
                stop: [ { to: out, hex: 00 } ]
                will: [ { to: out, hex: 00 } ]
                """, "haptic and will"),
        MisuseRow(
            name: "a proxy for a device that only advertises",
            text: """
                version: 2
                family: probe
                title: Probe
                source: https://example.org
                match: [ { name: "Probe*" } ]
                connect: never
                proxy: true
                advertisements: { data: { service_data: fcd2 } }
                features:
                  value: { summary: A value., kind: state, from: data, packet: [ { a: u8 } ] }
                """, line: 7, path: "proxy",
            message: "found proxy, but the device is never connected; allowed: omit it"),
    ]
}
