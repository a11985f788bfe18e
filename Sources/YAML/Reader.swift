import CYAML

/// A libyaml parser for one text.
///
/// The reader requests libyaml's events one at a time, so that it rejects a text as soon as the text exceeds
/// ``YAMLTree/Limits``. libyaml's own loader needs many seconds for 100,000 nested brackets. Events also show whether a
/// tag is present.
struct Reader: ~Copyable {
    // libyaml's parser contains pointers to itself, so it must not move.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>
    private var anchors: [String: YAMLTree] = [:]
    /// The anchors of values that have not been read to their end. An alias of such an anchor would be recursive.
    private var open: Set<String> = []
    private var count = 0
    /// The keys that lead to the current value.
    private var path: [String] = []
    /// Tags of other programs. An error can quote them, because they are not secrets.
    private static let foreignTags: Set = ["!secret", "!include", "!env_var", "!input", "!lambda"]

    init(_ text: String) {
        self.text = .allocate(capacity: text.utf8.count)
        _ = self.text.initialize(from: text.utf8)
        guard yaml_parser_initialize(parser) == 1 else { fatalError("no memory for libyaml's parser") }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, UnsafePointer(self.text.baseAddress), self.text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// Returns the next document, with its aliases resolved; nil after the last document.
    mutating func document() throws(YAMLTree.Failure) -> YAMLTree? {
        (anchors, open, count, path) = ([:], [], 0, [])
        while true {
            let event = try next()
            switch event.kind {
            case .streamEnd: return nil
            case .other: continue
            default: return try tree(event, depth: 1)
            }
        }
    }

    private mutating func tree(_ event: Event, depth: Int) throws(YAMLTree.Failure) -> YAMLTree {
        if case .alias = event.kind { return try follow(event, depth: depth) }
        try weigh(1, at: event.place, depth: depth)
        try check(event)
        if let anchor = event.anchor {
            guard anchors[anchor] == nil, open.insert(anchor).inserted else {
                throw YAMLTree.Failure(place: event.place, message: "not valid YAML: found duplicate anchor")
            }
        }
        let tree = try content(event, depth: depth)
        if let anchor = event.anchor {
            open.remove(anchor)
            anchors[anchor] = tree
        }
        return tree
    }

    private mutating func content(_ event: Event, depth: Int) throws(YAMLTree.Failure) -> YAMLTree {
        switch event.kind {
        case .sequence:
            var elements: [YAMLTree] = []
            while let event = try child() { elements.append(try tree(event, depth: depth + 1)) }
            return YAMLTree(event.place, .sequence(elements))
        case .mapping:
            var members: [YAMLTree.Member] = []
            var keys: Set<String> = []
            while let event = try child() {
                let key = try tree(event, depth: depth + 1)
                guard case .scalar(let name, _) = key.content else {
                    throw YAMLTree.Failure(
                        place: key.place, message: "a list or a mapping as a key; allowed: a word")
                }
                guard keys.insert(name).inserted else {
                    throw YAMLTree.Failure(
                        place: key.place,
                        message: "the key \(name) appears more than once; allowed: each key once")
                }
                // libyaml provides a value for each key, so `child()` never returns nil here.
                guard let event = try child() else { break }
                path.append(name)
                let value = try tree(event, depth: depth + 1)
                path.removeLast()
                members.append(YAMLTree.Member(key: name, place: key.place, style: key.style, value: value))
            }
            return YAMLTree(event.place, .mapping(members))
        case .scalar(let text, let style):
            return YAMLTree(event.place, .scalar(text, isPlain: style == .plain), style: style)
        case .alias, .end, .streamEnd, .other:
            throw YAMLTree.Failure(place: event.place, message: "not valid YAML")
        }
    }

    /// Returns the next event in a sequence or mapping; nil at its end.
    private func child() throws(YAMLTree.Failure) -> Event? {
        let event = try next()
        return event.kind == .end ? nil : event
    }

    private mutating func follow(_ event: Event, depth: Int) throws(YAMLTree.Failure) -> YAMLTree {
        let name = event.anchor ?? ""
        guard !open.contains(name) else {
            throw Self.tooDeep(event.place)
        }
        guard let tree = anchors[name] else {
            throw YAMLTree.Failure(place: event.place, message: "not valid YAML: found undefined alias")
        }
        let size = tree.size
        try weigh(size.count, at: tree.place, depth: depth + size.depth - 1)
        return tree
    }

    /// Counts values, and throws an error if the text exceeds ``YAMLTree/Limits``.
    private mutating func weigh(_ values: Int, at place: YAMLTree.Place, depth: Int) throws(YAMLTree.Failure)
    {
        count += values
        guard count <= YAMLTree.Limits.count else {
            throw YAMLTree.Failure(place: place, message: "more than \(YAMLTree.Limits.count) values")
        }
        guard depth <= YAMLTree.Limits.depth else { throw Self.tooDeep(place) }
    }

    private static func tooDeep(_ place: YAMLTree.Place) -> YAMLTree.Failure {
        YAMLTree.Failure(place: place, message: "nested deeper than \(YAMLTree.Limits.depth) levels")
    }

    /// Rejects a tag that differs from the value's default tag. The error quotes only known tags, because an unquoted
    /// password can start with `!` and look like a tag.
    private func check(_ event: Event) throws(YAMLTree.Failure) {
        guard let tag = event.tag, tag != "!", tag != event.usualTag else { return }
        let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
        let found = Self.foreignTags.contains(tag) ? "found the tag \(tag)" : "found a tag"
        throw YAMLTree.Failure(
            place: event.place,
            message: "\(place)\(found); the bridge does not support tags. "
                + "Allowed: the value itself, in quotes if it starts with !")
    }

    private func next() throws(YAMLTree.Failure) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        return Event(event)
    }

    /// Converts the error that libyaml reported.
    private func failure() -> YAMLTree.Failure {
        let parser = parser.pointee
        let problem = parser.problem.map { String(cString: $0) } ?? "the text cannot be read"
        guard parser.error != YAML_READER_ERROR, parser.error != YAML_MEMORY_ERROR else {
            return YAMLTree.Failure(
                place: YAMLTree.Place(line: 1, column: 1), message: "not valid YAML: \(problem)")
        }
        if let place = tab(parser, problem) {
            return YAMLTree.Failure(
                place: place,
                message: "not valid YAML: a tab in the indentation; tabs are not allowed there, spaces are")
        }
        let context = parser.context.map { "\(String(cString: $0)) (line \(parser.context_mark.line + 1)), " }
        return YAMLTree.Failure(
            place: YAMLTree.Place(parser.problem_mark), message: "not valid YAML: \(context ?? "")\(problem)")
    }

    /// Returns the location of the tab that caused the error; nil if no tab caused it. libyaml itself reports the
    /// location only in some cases.
    private func tab(_ parser: yaml_parser_t, _ problem: String) -> YAMLTree.Place? {
        let causes = ["cannot start any token", "tab character", "mapping values are not allowed"]
        guard parser.flow_level == 0, causes.contains(where: { problem.contains($0) }) else { return nil }
        let line = Int(parser.problem_mark.line)
        let lines = text.split(
            separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        guard line < lines.count else { return nil }
        let indentation = lines[line].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let tab = indentation.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
        return YAMLTree.Place(line: line + 1, column: tab - indentation.startIndex + 1)
    }
}

extension YAMLTree {
    /// The number of values, including this one, and their maximum depth.
    fileprivate var size: (count: Int, depth: Int) {
        let children: [YAMLTree]
        var count = 1
        switch content {
        case .scalar: return (1, 1)
        case .sequence(let elements): children = elements
        case .mapping(let members):
            children = members.map(\.value)
            count += members.count
        }
        var depth = children.isEmpty ? 0 : 1
        for child in children {
            let size = child.size
            count += size.count
            depth = max(depth, size.depth)
        }
        return (count, depth + 1)
    }
}
