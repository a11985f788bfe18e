import Foundation

/// A Markdown page of the repository.
struct Page: Sendable, CustomStringConvertible {
    /// A link with its target as the page writes it.
    struct Link: Sendable {
        /// The path or address, without the anchor; empty for the page itself.
        let path: String
        /// The text after `#`; nil without one.
        let anchor: String?
        /// Whether the link leads to an address on the Internet.
        let isExternal: Bool
    }

    /// A fenced block.
    struct Block: Sendable {
        /// The word after the fence: `console`, `sh`, `yaml`.
        let language: String
        /// The line number of the fence, from 1.
        let line: Int
        /// The lines between the fences, without the indentation of a list.
        let lines: [String]
    }

    /// The path, relative to the repository's folder.
    let path: String
    /// The lines outside fenced blocks, each with its line number.
    let prose: [(number: Int, text: String)]
    let blocks: [Block]

    var description: String { path }

    init(path: String, text: String) {
        self.path = path
        var (prose, blocks): ([(Int, String)], [Block]) = ([], [])
        var open: (language: String, line: Int, indent: Int, lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let isFence = line.dropFirst(indent).hasPrefix("```")
            if var block = open {
                if isFence {
                    blocks.append(Block(language: block.language, line: block.line, lines: block.lines))
                    open = nil
                } else {
                    block.lines.append(String(line.dropFirst(min(indent, block.indent))))
                    open = block
                }
            } else if isFence {
                open = (String(line.dropFirst(indent + 3)), index + 1, indent, [])
            } else {
                prose.append((index + 1, String(line)))
            }
        }
        self.prose = prose
        self.blocks = blocks
    }

    /// The second-level heading above a line; nil above the first one.
    func section(at line: Int) -> String? {
        prose.last { $0.number < line && $0.text.hasPrefix("## ") }.map { String($0.text.dropFirst(3)) }
    }

    /// The words in code marks, outside fenced blocks.
    var codeSpans: [String] {
        prose.flatMap { line in line.text.matches(of: /`([^`]+)`/).map { String($0.1) } }
    }

    /// All links and pictures.
    var links: [Link] {
        // The text of a link may continue in the next line, and may contain code.
        let text = prose.map { $0.text.replacing(/`[^`]*`/, with: "") }.joined(separator: "\n")
        let inline = text.matches(of: /\[[^\]]*\]\(([^)\s]+)\)/).map { String($0.1) }
        let defined = text.matches(of: /(?m)^\[[^\]]+\]: (\S+)/).map { String($0.1) }
        return (inline + defined).map { target in
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            return Link(
                path: String(parts[0]), anchor: parts.count > 1 ? String(parts[1]) : nil,
                isExternal: target.contains("://") || target.hasPrefix("mailto:"))
        }
    }

    /// The anchors of the headings, as GitHub derives them.
    var anchors: Set<String> {
        var seen: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in prose {
            guard line.text.hasPrefix("#"), let heading = line.text.wholeMatch(of: /#{1,6} +(.*?) *#*/) else {
                continue
            }
            let words = String(heading.1).replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.lowercased()
            let slug = String(
                words.compactMap { letter -> Character? in
                    if letter == " " { return "-" }
                    return letter.isLetter || letter.isNumber || letter == "-" || letter == "_" ? letter : nil
                })
            let count = seen[slug, default: 0]
            seen[slug] = count + 1
            anchors.insert(count == 0 ? slug : "\(slug)-\(count)")
        }
        return anchors
    }

    /// The target of a link, relative to the repository's folder; nil outside the repository.
    func target(of link: Link) -> String? {
        guard !link.path.isEmpty else { return path }
        var parts = path.split(separator: "/").dropLast().map { String($0) }
        for part in link.path.split(separator: "/") {
            switch part {
            case ".": continue
            case "..":
                guard !parts.isEmpty else { return nil }
                parts.removeLast()
            default: parts.append(String(part))
            }
        }
        return link.path.hasPrefix("/") ? nil : parts.joined(separator: "/")
    }
}
