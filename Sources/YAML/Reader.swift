import CYAML

/// libyaml at work on one text.
struct Reader: ~Copyable {
    // libyaml's parser points to itself, so it must not move.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>

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

    /// The next document, with its aliases followed; nil if there is none.
    func document() throws(YAMLTree.Failure) -> YAMLTree? {
        var document = yaml_document_t()
        guard yaml_parser_load(parser, &document) == 1 else { throw failure() }
        defer { yaml_document_delete(&document) }
        guard let root = yaml_document_get_root_node(&document) else { return nil }
        var count = 0
        return try Self.tree(root.pointee, of: &document, depth: 1, &count)
    }

    private static func tree(
        _ node: yaml_node_t, of document: inout yaml_document_t, depth: Int, _ count: inout Int
    ) throws(YAMLTree.Failure) -> YAMLTree {
        let place = YAMLTree.Place(node.start_mark)
        count += 1
        guard count <= YAMLTree.Limits.count else {
            throw YAMLTree.Failure(place: place, message: "more than \(YAMLTree.Limits.count) values")
        }
        guard depth <= YAMLTree.Limits.depth else {
            throw YAMLTree.Failure(
                place: place, message: "values in values, more than \(YAMLTree.Limits.depth) deep")
        }
        func child(_ index: Int32) throws(YAMLTree.Failure) -> YAMLTree {
            guard let node = yaml_document_get_node(&document, index) else {
                throw YAMLTree.Failure(place: place, message: "not valid YAML")
            }
            return try tree(node.pointee, of: &document, depth: depth + 1, &count)
        }
        switch node.type {
        case YAML_SEQUENCE_NODE:
            let items = node.data.sequence.items
            var elements: [YAMLTree] = []
            for index in UnsafeBufferPointer(start: items.start, count: items.top - items.start) {
                elements.append(try child(index))
            }
            return YAMLTree(place, .sequence(elements))
        case YAML_MAPPING_NODE:
            let pairs = node.data.mapping.pairs
            var members: [YAMLTree.Member] = []
            var keys: Set<String> = []
            for pair in UnsafeBufferPointer(start: pairs.start, count: pairs.top - pairs.start) {
                let key = try child(pair.key)
                guard case .scalar(let name, _) = key.content else {
                    throw YAMLTree.Failure(place: key.place, message: "a key that is not a word")
                }
                guard keys.insert(name).inserted else {
                    throw YAMLTree.Failure(
                        place: key.place,
                        message: "the key \(name) stands more than once; allowed: each key once")
                }
                members.append(
                    YAMLTree.Member(
                        key: name, place: key.place, style: key.style, value: try child(pair.value)))
            }
            return YAMLTree(place, .mapping(members))
        default:
            let scalar = node.data.scalar
            let text = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let style = YAMLTree.Style(scalar.style)
            return YAMLTree(place, .scalar(text, isPlain: style == .plain), style: style)
        }
    }

    /// What libyaml says against the text.
    private func failure() -> YAMLTree.Failure {
        let parser = parser.pointee
        let problem = parser.problem.map { String(cString: $0) } ?? "it cannot be read"
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

    /// Where the tab stands that libyaml stumbled over: it names one only sometimes.
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

extension YAMLTree.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_PLAIN_SCALAR_STYLE: self = .plain
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        default: self = .block
        }
    }
}

extension YAMLTree.Place {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
