import Foundation
import JSON

/// A page of `docs/protocols`: prose with marks in brackets, followed by a part that is generated from the file of
/// examples.
package struct VectorPage: Sendable {
    private static let begin = "<!-- vectors: begin -->"
    private static let end = "<!-- vectors: end -->"

    package let name: String
    package let text: String
    private let file: VectorFile

    package init(_ device: String) throws {
        name = "docs/protocols/\(device).md"
        file = VectorFile.named(device)
        text = try String(contentsOf: Repository.root.appending(path: name), encoding: .utf8)
    }

    /// The text before the generated part.
    package var prose: Substring { text.range(of: Self.begin).map { text[..<$0.lowerBound] } ?? text[...] }

    /// The unique marks in brackets in the prose, in order. Words in code and in links are ignored.
    package var marks: [String] {
        var marks: [String] = []
        // Every second part is between backticks.
        for (index, part) in prose.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where index.isMultiple(of: 2) {
            for match in part.matches(of: /\[([^\]]*)\](\(?)/) where match.2.isEmpty {
                let mark = String(match.1)
                if !marks.contains(mark) { marks.append(mark) }
            }
        }
        return marks
    }

    /// The prose with single spaces, so that sentences can be found across line breaks.
    package var sentences: String {
        prose.split(whereSeparator: { $0 == " " || $0 == "\n" }).joined(separator: " ")
    }

    /// The rows of the tables in the prose, as cells.
    package var rows: [[String]] {
        prose.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                String($0.trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// The marks that refer neither to a source nor to an example.
    package var unknownMarks: [String] {
        marks.filter { mark in
            !file.sources.contains { $0.mark == mark } && !file.vectors.contains { $0.name == mark }
        }
    }

    /// The expected page: the prose, the examples and the sources.
    package var expected: String {
        let examples = file.kinds.flatMap { kind in
            ["", "### \(Self.title(kind.name))", "", kind.what, ""] + table(of: kind)
        }
        let sources = file.sources.map { "* **\($0.mark)**: \($0.what)" + ($0.url.map { ". <\($0)>" } ?? "") }
        let used = file.vectors.map(\.name).filter { marks.contains($0) }
        let links = file.sources.compactMap { source in source.url.map { "[\(source.mark)]: \($0)" } }
        let anchors = used.map { "[\($0)]: #worked-examples" }
        var lines = [
            Self.begin, "## Worked examples", "",
            "Made from [\(file.device).json](vectors/\(file.device).json), which the tests read.",
        ]
        lines += examples
        lines += ["", "## Sources", ""]
        lines += sources
        lines += [""]
        lines += links
        lines += anchors
        lines += [Self.end, ""]
        return prose + lines.joined(separator: "\n")
    }

    private static func title(_ kind: String) -> String {
        let words = kind.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private func table(of kind: VectorFile.Kind) -> [String] {
        let vectors = file.vectors.filter { $0.kind == kind.name }
        let head = ["name", "what", "at", "bytes", "meaning", "answer", "source"]
        let rows = vectors.map { Self.row($0) }
        // A column that is empty in all rows is omitted.
        let columns = head.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        return ([head, head.map { _ in "---" }] + rows).map { row in
            "| " + columns.map { row[$0].replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
    }

    private static func row(_ vector: ProtocolVector) -> [String] {
        let hex = ProtocolVector.hex(vector.bytes)
        let ascii = vector.json["ascii"]?.string.map { "`\($0)`<br>" } ?? ""
        let bytes = hex.isEmpty ? "" : ascii + "`\(hex)`" + (vector.isWritten ? "" : " (read only)")
        return [
            vector.name, vector.what, vector.at.map { "`\($0)`" } ?? "", bytes, meaning(of: vector),
            vector.answer.map { words($0) } ?? "", vector.sources.joined(separator: " "),
        ]
    }

    private static func meaning(of vector: ProtocolVector) -> String {
        let file = vector.json["file"].map { ["`\($0)`"] } ?? []
        let signal = vector.json["signal"].map { ["signal `\($0)`"] } ?? []
        let steps = vector.steps.map { step in
            switch step {
            case .client(let packet, let time): (time.map { "\($0) ms: " } ?? "") + "client \(words(packet))"
            case .device(let packet): "device \(words(packet))"
            case .wearer(let act): "wearer: \(act)"
            case .application(let feature, let value): "application: \(feature) `\(value)`"
            case .pause(let milliseconds): "\(milliseconds) ms"
            }
        }
        let means =
            vector.json["means"].map { value in
                value == .null ? ["ignored"] : ["`\(value)`"]
            } ?? []
        return (file + signal + means + steps).joined(separator: "<br>")
    }

    private static func words(_ packet: ProtocolVector.Packet) -> String {
        "`\(packet.at)` `\(ProtocolVector.hex(packet.bytes))`"
    }
}
