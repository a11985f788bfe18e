import DeviceKit
import Terminal

extension TopicReference {
    /// The reference in Markdown: a chapter with an overview for each section, and a heading for each topic.
    package var markdown: String {
        sections.map { section in
            var overview = MarkdownTable(["topic", "kind", "meaning"])
            for entry in section.entries {
                overview.add([
                    "[`\(entry.topic)`](#\(Self.anchor(entry.topic)))", entry.kind,
                    MarkdownTable.escaped(entry.summary),
                ])
            }
            let head = ["## \(section.title)", ""] + overview.lines
            return (head + section.entries.flatMap { [""] + Self.chapter($0) }).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static func chapter(_ entry: Entry) -> [String] {
        let kind = entry.kind.prefix(1).uppercased() + entry.kind.dropFirst()
        var lines = ["### `\(entry.topic)`", "", "**\(kind).** \(MarkdownTable.escaped(entry.summary))"]
        lines += table("field", entry.fields)
        if !entry.forms.isEmpty {
            let forms = entry.forms.map(MarkdownTable.escaped).joined(separator: "; ")
            lines += ["", entry.fields.isEmpty ? "Payload: \(forms)." : "Or: \(forms)."]
        }
        lines += table("in the answer", entry.answers)
        return lines + ["", "Example: `\(entry.line ?? entry.example)`"]
    }

    /// Returns a table of fields, with the fields of nested objects below them; empty if there are no fields.
    private static func table(_ title: String, _ fields: [Field]) -> [String] {
        guard !fields.isEmpty else { return [] }
        var table = MarkdownTable([title, "value", "meaning"])
        for (path, field) in fields.flatMap({ flattened($0, at: $0.name) }) {
            table.add([
                MarkdownTable.code(path), MarkdownTable.escaped(field.description),
                MarkdownTable.escaped(field.summary),
            ])
        }
        return [""] + table.lines
    }

    /// Returns a field and the fields of nested objects, each with its path: `gyro.x`, `steps[].hz`.
    private static func flattened(_ field: Field, at path: String) -> [(path: String, field: Field)] {
        let (inner, place): ([Field], String) =
            switch field.type {
            case .object(let fields): (fields, path)
            case .list(.object(let fields), _): (fields, "\(path)[]")
            default: ([], path)
            }
        return [(path, field)] + inner.flatMap { flattened($0, at: "\(place).\($0.name)") }
    }

    /// Returns the anchor of a heading in GitHub's form: in lower case, without punctuation.
    private static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                character == " "
                    ? "-"
                    : character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
            })
    }
}
