import Foundation

/// A command on a page, with the output that the page shows for it.
struct ConsoleLine: Sendable, CustomStringConvertible {
    let page: String
    /// The line number of the block's fence.
    let line: Int
    /// The command as the user types it.
    let command: String
    /// The output below it; nil in a block with commands only.
    var output: [String]?
    /// Earlier commands in the same block that create files for it.
    var preparation: [String] = []

    var description: String { "\(page):\(line): \(command)" }

    /// All commands of a page: each line of an `sh` block, and each line after `$ ` in a `console` block.
    static func all(of page: Page) -> [ConsoleLine] {
        page.blocks.flatMap { block -> [ConsoleLine] in
            switch block.language {
            case "sh":
                return joined(block.lines).filter { !$0.isEmpty && !$0.hasPrefix("#") }.map {
                    ConsoleLine(page: page.path, line: block.line, command: $0, output: nil)
                }
            case "console": return shown(block, page)
            default: return []
            }
        }
    }

    /// Joins lines that end with a backslash with the next line.
    private static func joined(_ lines: [String]) -> [String] {
        lines.reduce(into: [String]()) { joined, line in
            if let last = joined.last, last.hasSuffix("\\") {
                joined[joined.count - 1] = String(last.dropLast() + line.drop { $0 == " " })
            } else {
                joined.append(line)
            }
        }
    }

    private static func shown(_ block: Page.Block, _ page: Page) -> [ConsoleLine] {
        var lines: [ConsoleLine] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                let command = String(line.dropFirst(2))
                let before = lines.map(\.command).filter { $0.hasPrefix("printf ") }
                lines.append(
                    ConsoleLine(
                        page: page.path, line: block.line, command: command, output: [],
                        preparation: before))
            } else if !lines.isEmpty {
                lines[lines.count - 1].output?.append(line)
            }
        }
        return lines
    }

    /// The words of the command as a shell splits them, up to the first `#`, `|`, `>` or `&`. `$(hostname
    /// -s)` is replaced, and leading variables are removed.
    var words: [String] {
        var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
        let plain = command.replacing("$(hostname -s)", with: "attic").replacing(
            /^(?:[A-Z_]+=\S+ )+/, with: "")
        for letter in plain {
            if let open = quote {
                if letter == open { quote = nil } else { word = (word ?? "") + String(letter) }
                continue
            }
            switch letter {
            case "'", "\"": (quote, word) = (letter, word ?? "")
            case " ":
                if let done = word { words.append(done) }
                word = nil
            case "#" where word == nil, "|", ">", "&": return words + (word.map { [$0] } ?? [])
            default: word = (word ?? "") + String(letter)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// Whether output matches the shown lines: `…` matches any characters, and on its own line any lines.
    static func matches(_ output: [String], shown: [String]) -> Bool {
        guard let first = shown.first else { return output.isEmpty }
        let rest = Array(shown.dropFirst())
        if first == "…" {
            return (0...output.count).contains { matches(Array(output.dropFirst($0)), shown: rest) }
        }
        guard let line = output.first, matches(line, shown: first) else { return false }
        return matches(Array(output.dropFirst()), shown: rest)
    }

    private static func matches(_ line: String, shown: String) -> Bool {
        let parts = shown.components(separatedBy: "…")
        guard parts.count > 1 else { return line == shown }
        guard line.hasPrefix(parts[0]) else { return false }
        var rest = line.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}
