import Bluetooth

extension ProbedDevice {
    /// A draft of a device file with every characteristic. A value with an unknown meaning is described as raw bytes.
    package var deviceFile: String {
        let used = entries.filter { $0.id.service != 0x1800 && $0.id.service != 0x1801 }
        let names = Self.names(used)
        let family = Self.word(name ?? "device")
        var lines = [
            "version: 1", "family: \(family)", "title: \(Self.quoted(name ?? "Unknown device"))",
            "source: found by tactile-bridge probe   # name the documents that specify the bytes",
            "match:",
            name.map { "  - { name: \(Self.quoted($0)) }   # * stands for any text" }
                ?? "  - { address: \"\(address)\" }",
            "characteristics:",
        ]
        for (entry, name) in zip(used, names) {
            let note = AssignedName.of(entry.id.uuid).map { "   # \($0)" } ?? ""
            lines.append(
                "  \(name): { service: \(Self.short(entry.id.service)), uuid: \(Self.short(entry.id.uuid)), optional: true }"
                    + note)
        }
        lines += setup(used, names) + features(used, names) + examples(used, names)
        return lines.joined(separator: "\n") + "\n"
    }

    private func setup(_ used: [Entry], _ names: [String]) -> [String] {
        let steps = zip(used, names).flatMap { entry, name in
            (entry.notifies ? ["  - subscribe: \(name)"] : [])
                + (entry.properties.contains(.read) ? ["  - read: \(name)"] : [])
        }
        return steps.isEmpty ? [] : ["setup:"] + steps
    }

    private func features(_ used: [Entry], _ names: [String]) -> [String] {
        var lines = ["features:"]
        for (entry, name) in zip(used, names) {
            let isBattery = entry.id.uuid == 0x2A19
            lines.append("  \(name):")
            lines.append(
                "    summary: \(AssignedName.of(entry.id.uuid) ?? "The value of \(Self.short(entry.id.uuid)).")"
            )
            if entry.notifies || entry.properties.contains(.read) {
                let packet =
                    isBattery
                    ? "[ { level: u8, unit: \"%\", minimum: 0, maximum: 100, class: battery } ]"
                    : "[ { value: hex } ]"
                lines += ["    kind: state", "    from: \(name)", "    packet: \(packet)"]
            }
            if !entry.properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
                lines += [
                    "    command:", "      fields: { data: { type: text, length: [2, 40] } }",
                    "      shorthand: data", "      write: { to: \(name), packet: [ { data: hex } ] }",
                ]
            }
        }
        return lines
    }

    private func examples(_ used: [Entry], _ names: [String]) -> [String] {
        let lines = zip(used, names).compactMap { entry, name -> String? in
            // An empty value would publish nothing, so it gets no example.
            guard let value = entry.value, !value.isEmpty, entry.properties.contains(.read) else {
                return nil
            }
            let isBattery = entry.id.uuid == 0x2A19
            if isBattery, value.count > 1 || value[0] > 100 { return nil }
            let published =
                isBattery
                ? "{ level: \(value[0]) }" : "\"\(Hex.string(value))\""
            return
                "  - { read: \(name), hex: \"\(Hex.string(value))\", publishes: { \(name): \(published) } }"
        }
        return lines.isEmpty ? [] : ["examples:"] + lines
    }

    /// Returns a unique name for each characteristic, valid as a topic level.
    private static func names(_ entries: [Entry]) -> [String] {
        var taken: Set<String> = [
            "availability", "connection", "features", "info", "result", "haptic", "stop", "set",
        ]
        return entries.map { entry in
            let isBattery = entry.id.uuid == 0x2A19
            let base =
                isBattery ? "battery" : AssignedName.of(entry.id.uuid).map(word) ?? "c_" + tail(entry.id.uuid)
            var name = base
            var number = 2
            while !taken.insert(name).inserted {
                name = "\(base)_\(number)"
                number += 1
            }
            return name
        }
    }

    /// Returns the digits that usually differ between the UUIDs of one vendor.
    static func tail(_ uuid: UUID) -> String {
        uuid.short.map { Hex.string(UInt64($0), digits: 4) }
            ?? String(Hex.string(uuid.high >> 32, digits: 8).suffix(4))
    }

    /// Converts a text to a name of letters, digits and `_`, starting with a letter.
    static func word(_ text: String) -> String {
        let bytes = text.lowercased().utf8.map { byte -> UInt8 in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) ? byte : UInt8(ascii: "_")
        }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "_").joined(separator: "_")
        guard let first = words.first, first.isLetter else { return "device_" + words }
        return String(words.prefix(32))
    }

    static func quoted(_ text: String) -> String {
        let clean = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return "\""
            + String(String.UnicodeScalarView(clean)).replacing("\\", with: "\\\\").replacing(
                "\"", with: "\\\"")
            + "\""
    }
}

extension ProbedDevice.Entry {
    var notifies: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
}
