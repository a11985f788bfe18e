/// A YAML text as a tree of values with their locations.
///
/// The tree contains words as they are written. The code that reads the tree interprets them, so that `5` can be a
/// version, a number or a name. The parser is libyaml. Libraries that return typed values provide neither line numbers
/// nor more than one error. They also require Foundation, which would take half of the program's memory.
public struct YAMLTree: Sendable {
    /// A location in the text, counted from 1.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The number of the line, from 1.
        public var line: Int
        /// The number of the column, from 1.
        public var column: Int
        /// The file that contains the text; nil if the reader did not provide it.
        public var file: String?

        /// Creates a location.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// The format of compilers: `3:1`.
        public var description: String { "\(line):\(column)" }
    }

    /// The style of a scalar.
    public enum Style: Hashable, Sendable {
        /// The scalar has no quotes.
        case plain
        case singleQuoted
        /// The scalar is in double quotes, in which a backslash starts an escape.
        case doubleQuoted
        /// The scalar is a block of lines.
        case block
    }

    /// One key of a mapping and its value.
    public struct Member: Sendable {
        /// The key, without quotes.
        public var key: String
        /// The location of the key.
        public var place: Place
        /// The style of the key.
        public var style: Style
        /// The value of the key.
        public var value: YAMLTree
    }

    /// The content of a value.
    public enum Content: Sendable {
        /// A text. It is plain if it has no quotes.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLTree])
        /// Keys and values in the order of the text. Keys are unique.
        case mapping([Member])
    }

    /// The reason why a text is not accepted. The message never quotes values, because they may be secrets.
    public struct Failure: Error {
        /// The location of the problem.
        public var place: Place
        /// The reason, as text for the author.
        public var message: String
    }

    /// The location of the value. A value that an alias inserted has the location of the anchor.
    public let place: Place
    /// The content of the value.
    public let content: Content
    /// The style; ``Style/block`` for values that are not scalars.
    public let style: Style

    /// Parses a text with one document. An empty text is an empty scalar.
    ///
    /// - Throws: ``Failure`` if the text is not valid YAML, has several documents, has a duplicate key or a key that is
    ///   not a scalar, or exceeds ``Limits``.
    public init(_ text: String) throws(Failure) {
        var reader = Reader(text)
        self =
            try reader.document()
            ?? YAMLTree(Place(line: 1, column: 1), .scalar("", isPlain: true), style: .plain)
        if let second = try reader.document() {
            throw Failure(
                place: second.place, message: "not valid YAML here: a second document; allowed: one")
        }
    }

    init(_ place: Place, _ content: Content, style: Style = .block) {
        self.place = place
        self.content = content
        self.style = style
    }

    /// Limits against texts that expand excessively.
    public enum Limits {
        /// The maximum number of values. Each use of an alias counts.
        public static let count = 100_000
        /// The maximum nesting of values. An alias inside the value of its own anchor exceeds this limit.
        public static let depth = 100
    }

    /// Whether the value is nothing, `~` or `null`, without quotes.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// Returns the same tree with the file name in each location.
    public func named(_ file: String) -> YAMLTree {
        var place = place
        place.file = file
        let content: Content =
            switch content {
            case .scalar: content
            case .sequence(let elements): .sequence(elements.map { $0.named(file) })
            case .mapping(let members):
                .mapping(
                    members.map { member in
                        var member = member
                        member.place.file = file
                        member.value = member.value.named(file)
                        return member
                    })
            }
        return YAMLTree(place, content, style: style)
    }

    /// Returns a mapping with these members, at the location of this tree.
    public func holding(_ members: [Member]) -> YAMLTree { YAMLTree(place, .mapping(members)) }

    /// The elements of a sequence; empty for other values.
    public var elements: [YAMLTree] {
        guard case .sequence(let elements) = content else { return [] }
        return elements
    }
}
