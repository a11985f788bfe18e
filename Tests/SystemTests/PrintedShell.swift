import Foundation
import HostTesting

/// The shell commands of a page, and the output that the page shows for them.
enum PrintedShell {
    /// The lines of a page's code blocks in a language, below a heading or in the whole page.
    static func blocks(_ language: String, of page: String, below heading: String? = nil) throws -> [[String]]
    {
        let text = try String(contentsOfFile: "\(DemonstrationTests.root)/\(page)", encoding: .utf8)
        var blocks: [[String]] = []
        var isBelow = heading == nil
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = String(line.drop { $0 == " " })
            if let heading, line.hasPrefix("## ") { isBelow = line == "## \(heading)" }
            if text.hasPrefix("```") {
                isInside = isBelow && text == "```\(language)"
                if isInside { blocks.append([]) }
            } else if isInside {
                blocks[blocks.count - 1].append(text)
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
