import Foundation
import HostTesting

/// The shell commands of a page, and the output that the page shows for them.
enum PrintedShell {
    /// A command, and the output that the page shows for it.
    struct Step {
        var command: String
        var shown: [String]
    }

    private struct Block {
        var language: String
        /// The line number of the opening fence.
        var line: Int
        var lines: [String] = []
    }

    /// The lines of a page's code blocks in a language, below a heading or in the whole page.
    static func blocks(_ language: String, of page: String, below heading: String? = nil) throws -> [[String]]
    {
        try blocks(of: page, below: heading).filter { $0.language == language }.map(\.lines)
    }

    /// The commands of a page, below a heading or in the whole page: the lines of its `sh` blocks. A `console` block
    /// directly below is the output of the last command, or has one line for each if all are `mosquitto_rr`.
    static func steps(of page: String, below heading: String? = nil) throws -> [Step] {
        let found = try blocks(of: page, below: heading)
        return found.indices.filter { found[$0].language == "sh" }.flatMap { index -> [Step] in
            let block = found[index]
            var steps = block.lines.map { Step(command: $0, shown: []) }
            guard let below = found.dropFirst(index + 1).first, below.language == "console",
                below.line == block.line + block.lines.count + 3
            else { return steps }
            if below.lines.count == steps.count, steps.allSatisfy({ $0.command.hasPrefix("mosquitto_rr ") }) {
                for (position, line) in below.lines.enumerated() { steps[position].shown = [line] }
            } else {
                steps[steps.count - 1].shown = below.lines
            }
            return steps
        }
    }

    private static func blocks(of page: String, below heading: String?) throws -> [Block] {
        let text = try String(contentsOfFile: "\(DemonstrationTests.root)/\(page)", encoding: .utf8)
        var blocks: [Block] = []
        var isBelow = heading == nil
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = String(line.drop { $0 == " " })
            if let heading, line.hasPrefix("## ") { isBelow = line == "## \(heading)" }
            if text.hasPrefix("```") {
                isInside = isBelow && !isInside
                if isInside { blocks.append(Block(language: String(text.dropFirst(3)), line: index + 1)) }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(text)
            }
        }
        return blocks
    }

    /// Runs a shell line in which Mosquitto's clients use the bench's broker instead of localhost:1883.
    static func command(_ line: String, _ bench: Bench) -> [String] {
        let functions = ["mosquitto_pub", "mosquitto_sub", "mosquitto_rr"].map { name in
            "\(name)() { command \(name) -h 127.0.0.1 -p \(bench.broker.port) \"$@\"; }"
        }
        return ["bash", "-c", (functions + [line]).joined(separator: "\n")]
    }

    /// Whether a line matches the shown output, in which an ellipsis stands for any text.
    static func isShown(_ line: String, by shown: String) -> Bool {
        let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return line == shown }
        guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = line.dropFirst(parts[0].count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
