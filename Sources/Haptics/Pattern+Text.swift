import JSON

// Writes patterns as the text of YAML files and AHAP files.
extension Pattern {
    /// The pattern as a YAML file. The pattern must have no changes: see ``flattened()``.
    public var yaml: String {
        var lines: [String] = []
        if let description = metadata?["Description"]?.string {
            lines.append("description: \(JSON.Value.string(description))")
        }
        lines.append("events:")
        for event in events {
            var fields = ["time: \(Self.text(event.time))"]
            switch event.kind {
            case .transient: fields.append("kind: transient")
            case .continuous(let duration, _):
                fields += ["kind: continuous", "duration: \(Self.text(duration))"]
            }
            fields += [
                "intensity: \(Self.text(event.intensity))", "sharpness: \(Self.text(event.sharpness))",
            ]
            if let position = event.position { fields.append("position: \(position.degrees)") }
            lines.append("  - { \(fields.joined(separator: ", ")) }")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The pattern as an AHAP file, with a line for each entry.
    public var ahap: String {
        let value = AHAPFile.value(of: self)
        let entries = value["Pattern"]?.array ?? []
        let head = (value.object?.members ?? []).filter { $0.key != "Pattern" }
            .map { "\(JSON.Value.string($0.key)):\($0.value)," }
        return "{\(head.joined())\"Pattern\":[\n"
            + entries.map(\.description).joined(separator: ",\n") + "\n]}\n"
    }

    /// Returns the number as text, rounded to a millionth: `0`, `0.125`.
    static func text(_ number: Double) -> String {
        Node.text((number * 1_000_000).rounded() / 1_000_000)
    }
}
