import DeviceKit
import JSON
import Terminal

extension TopicReference {
    private static let legend = [
        "state: retained, published on change. event: not retained, never dropped without notice.",
        "stream: not retained, the oldest messages are dropped if the broker is slow.",
        "command: what you publish; every object may also contain id and expires.",
        "<id> is the end of a device's address (a1b2c3 in the examples), <bridge> the bridge's id (attic).",
    ]

    /// The reference for terminals: one paragraph for each topic.
    package var text: String {
        var lines: [String] = []
        for section in sections {
            lines += lines.isEmpty ? Self.legend + [""] : [""]
            lines += [section.title, String(repeating: "=", count: section.title.count)]
            for entry in section.entries { lines += [""] + Self.paragraph(entry) }
        }
        return lines.joined(separator: "\n")
    }

    private static func paragraph(_ entry: Entry) -> [String] {
        var lines = ["\(entry.topic)  (\(entry.kind))"]
        lines += entry.summary.wrapped(at: 96).map { "    \($0)" }
        var table = TextTable()
        for field in entry.fields { table.add([field.name, field.description, field.summary]) }
        lines += table.lines(indentation: "      ", limit: 44)
        if !entry.forms.isEmpty {
            let also = entry.fields.isEmpty ? "payload" : "also"
            lines.append("      \(also): \(entry.forms.joined(separator: "; "))")
        }
        if !entry.answers.isEmpty {
            var table = TextTable()
            for field in entry.answers { table.add([field.name, field.description, field.summary]) }
            lines += ["      the answer has"] + table.lines(indentation: "        ", limit: 44)
        }
        lines.append("    $ \(entry.line ?? "")")
        if entry.line == nil { lines[lines.count - 1] = "    > \(entry.example)" }
        return lines
    }

    /// The reference for programs: an object for each section with an entry for each feature, in the form of the topic
    /// `<device>/features`.
    package var json: String {
        JSON.Value.object(JSON.Object(sections.map { ($0.name, $0.features) })).description
    }
}
