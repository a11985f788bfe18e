import Foundation

/// Words and phrases that a reader of technical English stumbles over, each with the plain word.
enum PlainWords {
    /// An occurrence of a phrase.
    struct Finding: CustomStringConvertible {
        /// The line number, from 1.
        var line: Int
        var found: String
        /// The words to use instead.
        var plain: String

        var description: String { "line \(line): \"\(found)\": write \(plain)" }
    }

    /// A regular expression of the phrase, without regard to case, and the plain words.
    static let phrases: [(pattern: String, plain: String)] = [
        (#"\banew\b"#, "again, or re-"),
        (
            #"(?<!he )(?<!who )\b(says|is said|are said|was said|said of|says? so)\b"#,
            "reports, publishes, states"
        ),
        (#"\b(tells|is told|are told|was told|were told)\b"#, "reports, is informed"),
        (#"\b(hears?|heard)\b"#, "receives, is in range"),
        (#"\b(that|this|another) (other |last |new |old )?one\b"#, "the noun again"),
        (
            #"\bat (the |a |its |each |every |this |another |that |any )?(broker|bridge|host|BlueZ)s?\b"#,
            "on, in"
        ),
        (#"\b(stands?|stood|lies?|lay) (in|on|below|beside|there|under)\b"#, "is in"),
        (#"\bby (itself|themselves)\b"#, "automatically"),
        (#"\bbeg(ins?|an|inning|un)\b"#, "start"),
        (#"\b(ends? with \d+|is ended|are ended)\b"#, "exits with status, is stopped"),
        (#"\b(lets?|letting) (it |them |every device |a device |the [a-z]+ )?go\b"#, "release, disconnect"),
        (#"\b(takes?|taken|taking|took) (it |them |a |the )?(\w+ )?up (?!to )"#, "apply, resume"),
        (#"\bbesides?\b"#, "next to, in addition to"),
        (#"\bmeanwhile\b"#, "while, or nothing"),
        (#"\bof (yours|its own|your own|their own)\b"#, "its, your, their"),
        (#"\bway (from|to) the broker\b|\bway is late\b"#, "messages from the broker are delayed"),
        (#"\b(figures|weakness(es)?|foreign|senseless)\b"#, "metrics, vulnerability, untrusted, invalid"),
        (#"\b(called|does|do|answers?|behaves?) otherwise\b"#, "differently"),
        (#"\b(bears?|borne)\b"#, "supports, carries"),
        (#"\bin good order\b"#, "cleanly"),
        (
            #"\b(device|list|bridge|program|broker|file|caller) wants\b|\b(is|are|was|were) wanted\b"#,
            "needs"
        ),
        (#"\bas any (keyboard|other)\b"#, "like any"),
        (#"\b(disabled at first|at last|for ever)\b"#, "by default, finally, indefinitely"),
        (#"\b(not|was|were) tried\b"#, "untested, unsupported"),
        (#"\bbrings\b|\bhas with it\b"#, "includes"),
        (#"\b(a person|persons)\b"#, "you, the user"),
        (#"\blook(s|ed)? (whether|if)\b"#, "checks whether"),
        (#"\bany more\b"#, "no longer"),
        (#"\b(turns? away|left out|leaves? out)\b"#, "rejects, is ignored, omits"),
    ]

    private static let expressions = phrases.compactMap { pattern, plain in
        (try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)).map { ($0, plain) }
    }

    /// Returns the phrases in lines of text, by line.
    static func findings(in lines: [String]) -> [Finding] {
        let text = lines.joined(separator: "\n")
        let whole = NSRange(text.startIndex..., in: text)
        precondition(expressions.count == phrases.count, "a pattern is no regular expression")
        return expressions.flatMap { expression, plain in
            expression.matches(in: text, range: whole).compactMap { match -> Finding? in
                guard let range = Range(match.range, in: text) else { return nil }
                let line = text[..<range.lowerBound].count { $0 == "\n" } + 1
                return Finding(line: line, found: String(text[range]), plain: plain)
            }
        }.sorted { $0.line < $1.line }
    }

    /// Returns the string literals of a Swift file, in the lines in which they are; all other lines are empty.
    static func literals(inSwift text: String) -> [String] {
        var isLong = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains(#"""""#) {
                let quotes = line.ranges(of: #"""""#).count
                defer { if quotes % 2 == 1 { isLong.toggle() } }
                if quotes % 2 == 1 { return "" }
            }
            if isLong { return String(line) }
            guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return "" }
            // Text has blanks; interpolations are code.
            return line.matches(of: #/"(?:[^"\\]|\\.)*"/#).map { $0.0.replacing(#/\\\([^)]*\)/#, with: "") }
                .filter { $0.contains(" ") }.joined(separator: " ")
        }
    }

    /// Returns the prose of a page, in its lines: without blocks, code and comments.
    static func prose(of page: Page) -> [String] {
        var lines = [String](repeating: "", count: page.prose.last?.number ?? 0)
        var isComment = false
        for (number, text) in page.prose {
            let line = text.replacing(/`[^`]*`/, with: "").replacing(/<!--.*?-->/, with: "")
            if isComment {
                isComment = !line.contains("-->")
            } else if line.contains("<!--") {
                isComment = true
            } else {
                lines[number - 1] = line
            }
        }
        return lines
    }

    /// Returns the comments of a YAML file or of a shell script, in their lines.
    static func comments(inScript text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") ? String(line) : ""
        }
    }
}
