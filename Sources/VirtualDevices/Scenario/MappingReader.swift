/// Reads a mapping of a scenario file key by key and rejects unknown keys.
struct MappingReader {
    let file: String
    let line: Int
    let path: String
    private let entries: [ScenarioNode.Entry]
    private var known: [String] = []

    /// Opens a mapping. An empty node is an empty mapping.
    init(_ node: ScenarioNode, path: String, file: String) throws(ScenarioError) {
        self.file = file
        self.path = path
        line = node.line
        switch node.content {
        case .mapping(let entries): self.entries = entries
        case .scalar(""): entries = []
        case .scalar, .sequence:
            throw ScenarioError(
                .invalidValue, file: file, line: node.line, key: path,
                message: "\(node.found) found, expected a mapping (key: value)")
        }
        var seen: Set<String> = []
        for entry in entries where !seen.insert(entry.key).inserted {
            throw ScenarioError(
                .invalidValue, file: file, line: entry.line, key: Self.join(path, entry.key),
                message: "appears twice; expected once")
        }
    }

    /// All entries of a mapping whose keys are names and not known keys.
    var keys: [ScenarioNode.Entry] { entries }

    /// Returns the value of a key and marks the key as known.
    mutating func node(_ key: String) -> ScenarioNode? {
        known.append(key)
        return entries.first { $0.key == key }?.value
    }

    mutating func mapping(_ key: String) throws(ScenarioError) -> MappingReader? {
        guard let node = node(key) else { return nil }
        return try MappingReader(node, path: Self.join(path, key), file: file)
    }

    /// Reads a list of mappings.
    mutating func mappings(_ key: String) throws(ScenarioError) -> [MappingReader] {
        guard let node = node(key), node.content != .scalar("") else { return [] }
        guard case .sequence(let items) = node.content else {
            throw invalid(node, key, expected: "a list (lines that start with '- ')")
        }
        var readers: [MappingReader] = []
        for (index, item) in items.enumerated() {
            readers.append(
                try MappingReader(item, path: "\(Self.join(path, key))[\(index)]", file: file))
        }
        return readers
    }

    /// Parses a scalar; nil if the key is absent.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - expected: A description of the allowed values, for errors.
    ///   - parse: Parses the text; nil if the text is not allowed.
    mutating func scalar<Value>(
        _ key: String, expected: @autoclosure () -> String, _ parse: (String) -> Value?
    ) throws(ScenarioError) -> Value? {
        guard let node = node(key) else { return nil }
        guard case .scalar(let text) = node.content, let value = parse(text) else {
            throw invalid(node, key, expected: expected())
        }
        return value
    }

    /// Completes the mapping: throws if there is an unknown key.
    func finish() throws(ScenarioError) {
        for entry in entries where !known.contains(entry.key) {
            let nearest = known.min {
                Self.distance($0, entry.key) < Self.distance($1, entry.key)
            }
            let hint =
                nearest.map { Self.distance($0, entry.key) <= 3 ? "; did you mean '\($0)'?" : "" } ?? ""
            throw ScenarioError(
                .unknownKey, file: file, line: entry.line, key: Self.join(path, entry.key),
                message: "unknown key\(hint) Known here: \(known.joined(separator: ", "))")
        }
    }

    func invalid(_ node: ScenarioNode, _ key: String, expected: String) -> ScenarioError {
        ScenarioError(
            .invalidValue, file: file, line: node.line, key: Self.join(path, key),
            message: "\(node.found) found, expected \(expected)")
    }

    func missing(_ key: String, expected: String) -> ScenarioError {
        ScenarioError(
            .missingKey, file: file, line: line, key: Self.join(path, key),
            message: "missing, expected \(expected)")
    }

    private static func join(_ path: String, _ key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    /// The edit distance of two words: the smallest number of inserted, deleted and replaced letters (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
