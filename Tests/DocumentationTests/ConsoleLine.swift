import Foundation

/// A command on a page, with the output that the page shows for it.
struct ConsoleLine: Sendable, CustomStringConvertible {
    let page: String
    /// The line number of the block's fence.
    let line: Int
    /// The command as the user types it.
    let command: String
    /// The output below it; nil below a block without output.
    var output: [String]?
    /// Whether Tests/Tutorials or Tests/HomeAssistant runs it.
    var isTutorial = false
    /// Earlier commands in the same block that create files for it.
    var preparation: [String] = []

    var description: String { "\(page):\(line): \(command)" }

    /// All commands of a page: the lines of its `sh` blocks. A `console` block directly below is the output of the last
    /// command; the other commands print nothing. If all are `mosquitto_rr`, it has one line for each.
    static func all(of page: Page) -> [ConsoleLine] {
        page.blocks.indices.filter { page.blocks[$0].language == "sh" }.flatMap { index -> [ConsoleLine] in
            let block = page.blocks[index]
            let commands = joined(block.lines).filter { !$0.isEmpty && !$0.hasPrefix("#") }
            let isTutorial = Repository.isTutorial(page.section(at: block.line), of: page)
            let below = page.blocks.dropFirst(index + 1).first
            // One empty line is between the two blocks.
            let isDirect = below?.language == "console" && below?.line == block.line + block.lines.count + 3
            let shown = isDirect ? below?.lines : nil
            let isLineEach =
                shown?.count == commands.count && commands.allSatisfy { $0.hasPrefix("mosquitto_rr ") }
            return commands.enumerated().map { position, command in
                var line = ConsoleLine(
                    page: page.path, line: block.line, command: command, isTutorial: isTutorial,
                    preparation: commands.prefix(position).filter { $0.hasPrefix("printf ") })
                if let shown {
                    let isLast = position == commands.count - 1
                    line.output = isLineEach ? [shown[position]] : isLast ? shown : []
                }
                return line
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
