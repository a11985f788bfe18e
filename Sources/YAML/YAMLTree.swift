/// A YAML text as a tree in which everything knows its line: what the commands read their files from.
///
/// What a word means is decided by who reads the tree, so that `5` can be a version, a number or a name. libyaml
/// reads the text, and not a library that hands out finished values: those know neither lines nor more than one
/// error, and bring all of Foundation along, half of the program's memory.
public struct YAMLTree: Sendable {
    /// A place in the text, counted from 1.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The line, from 1.
        public var line: Int
        /// The column, from 1.
        public var column: Int
        /// The file that the text is of; nil where the reader of the text did not say.
        public var file: String?

        /// Names a place.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// As compilers write it: `3:1`.
        public var description: String { "\(line):\(column)" }
    }

    /// How a text is written.
    public enum Style: Hashable, Sendable {
        /// Without quotes.
        case plain
        case singleQuoted
        /// In double quotes, in which a backslash begins an escape.
        case doubleQuoted
        /// As lines of a block.
        case block
    }

    /// One key of a mapping and its value.
    public struct Member: Sendable {
        /// The key; quotes are no matter.
        public var key: String
        /// Where the key stands.
        public var place: Place
        /// How the key is written.
        public var style: Style
        /// What it is given.
        public var value: YAMLTree
    }

    /// What stands at a place.
    public enum Content: Sendable {
        /// A text; plain if it has no quotes around it.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLTree])
        /// Keys and values in the order of the text, each key once.
        case mapping([Member])
    }

    /// Says why a text is not YAML as it is taken here. The message never quotes values: they may be secrets.
    public struct Failure: Error {
        /// Where.
        public var place: Place
        /// Why, in words for the one who wrote the text.
        public var message: String
    }

    /// Where it stands; of what an alias stands for, where that stands.
    public let place: Place
    /// What it is.
    public let content: Content
    /// How it is written; ``Style/block`` for what is no text.
    public let style: Style

    /// Reads the one document of a text; an empty text is an empty scalar.
    ///
    /// - Throws: Where the text is no YAML, has more than one document, a key twice or one that is not a word, or
    ///   grows beyond ``Limits``.
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

    /// Bounds against texts that are made to explode.
    public enum Limits {
        /// How many values a text may have, aliases counted each time.
        public static let count = 100_000
        /// How deep values may lie in each other. An alias to what it lies in is deeper than that.
        public static let depth = 100
    }

    /// Whether nothing is said: an empty value, `~` or `null`, without quotes.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The same tree; each of its places names the file that it was read from.
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

    /// A mapping with these members at the place of this tree.
    public func holding(_ members: [Member]) -> YAMLTree { YAMLTree(place, .mapping(members)) }

    /// The elements of a sequence; none of anything else.
    public var elements: [YAMLTree] {
        guard case .sequence(let elements) = content else { return [] }
        return elements
    }
}
