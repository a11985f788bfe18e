/// A log call in a source file.
struct LogLine: Sendable {
    /// The line number of the call, from 1.
    let line: Int
    /// The message: a literal of the call, with its interpolations.
    let text: String
    /// The keys of its metadata.
    let keys: [String]

    /// The violations of the rules in CONTRIBUTING.md that a program can detect.
    var complaints: [String] {
        var found: [String] = []
        let word = text.prefix { $0 != " " && $0 != ":" }
        if let first = text.first, !first.isLowercase, first != "\\", !Self.names.contains(String(word)) {
            found.append("begins with neither a lower-case letter nor a name: \(text)")
        }
        if let last = text.last, ".!?:;, ".contains(last) { found.append("ends with \"\(last)\": \(text)") }
        if text.isEmpty || text.contains("\\n") { found.append("is not one line: \(text)") }
        for key in keys where key.contains(where: { !$0.isLowercase && $0 != "_" }) {
            found.append("has a value whose name is not in lower case: \(key)")
        }
        if keys.contains("error") { found.append("has a cause that is not called reason: \(text)") }
        return found
    }

    /// Names that keep their capital letter at the start of a message.
    private static let names: Set<String> = ["BlueZ", "Bluetooth", "D-Bus", "MQTT", "TAP"]

    // MARK: Reading

    /// All log calls of a file: calls of loggers, remarks of families, and calls of functions that log their arguments.
    static func all(in text: String, loggingFunctions: Set<String>) -> [LogLine] {
        let call =
            #/
            \b(?: logger\??\.(?:trace|debug|info|notice|warning|error|critical|log) | effects\.remark | (\w+) )\(
            /#
        // The default kind finds no boundary after the dot of `client.logger`.
        return text.matches(of: call.wordBoundaryKind(.simple)).flatMap { match -> [LogLine] in
            let before = text[..<match.range.lowerBound]
            if let name = match.1.map(String.init) {
                guard loggingFunctions.contains(name), !before.hasSuffix("func ") else { return [] }
            }
            let read = literals(of: text[match.range.upperBound...])
            let line = before.count { $0 == "\n" } + 1
            return read.texts.map { LogLine(line: line, text: $0, keys: read.keys) }
        }
    }

    /// The functions of a module that log their arguments.
    static func loggingFunctions(in text: String) -> Set<String> {
        Set(text.matches(of: #/func (\w+)\([^)]*Logger\.Message/#).map { String($0.1) })
    }

    /// The literals of a call's arguments: the texts, and the keys of its dictionaries.
    private static func literals(of arguments: Substring) -> (texts: [String], keys: [String]) {
        var (texts, keys): ([String], [String]) = ([], [])
        var (rest, depth, isMetadata, before) = (arguments, 0, false, Character(" "))
        while let character = rest.first {
            if character == "\"" {
                let literal = takeLiteral(&rest)
                let isKey = rest.drop { $0 == " " }.first == ":"
                if isMetadata {
                    if isKey, !literal.contains("\\") { keys.append(literal) }
                } else if before != "=" {
                    texts.append(literal)
                }
                before = "\""
                continue
            }
            if rest.hasPrefix("metadata:") || character == "[" { isMetadata = true }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 { break }
            if character != " " { before = character }
            rest.removeFirst()
        }
        return (texts, keys)
    }

    /// Consumes a quoted literal, and returns its contents with the source text of interpolations.
    private static func takeLiteral(_ rest: inout Substring) -> String {
        let isLong = rest.hasPrefix("\"\"\"")
        let quote = isLong ? "\"\"\"" : "\""
        rest.removeFirst(quote.count)
        var (text, depth) = ("", 0)
        while !rest.isEmpty, depth > 0 || !rest.hasPrefix(quote) {
            if rest.hasPrefix("\\(") { depth += 1 } else if depth > 0, rest.first == "(" { depth += 1 }
            if depth > 0, rest.first == ")" { depth -= 1 }
            let count = rest.hasPrefix("\\") ? 2 : 1
            text += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        rest = rest.dropFirst(quote.count)
        guard isLong else { return text }
        // A line that ends with a backslash continues in the next line.
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
            .replacing("\\\n", with: "")
    }
}
