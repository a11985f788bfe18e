/// A node of a parsed scenario file: a scalar, a list or a mapping, with its line number.
public struct ScenarioNode: Hashable, Sendable {
    /// The line at which the node starts, from 1.
    public var line: Int
    /// The content of the node.
    public var content: Content

    /// Creates a node.
    public init(line: Int, _ content: Content) {
        self.line = line
        self.content = content
    }

    /// The content of a node.
    public enum Content: Hashable, Sendable {
        /// A text, a number or a Boolean in its original spelling; empty for an absent value.
        case scalar(String)
        /// A list.
        case sequence([ScenarioNode])
        /// Keys and values, in the order of the file.
        case mapping([Entry])
    }

    /// A key of a mapping, with its value.
    public struct Entry: Hashable, Sendable {
        /// The key of the entry.
        public var key: String
        /// The line on which the key is.
        public var line: Int
        /// The value of the key.
        public var value: ScenarioNode

        /// Creates an entry.
        public init(key: String, line: Int, value: ScenarioNode) {
            self.key = key
            self.line = line
            self.value = value
        }
    }

    /// A description of the content for error messages.
    var found: String {
        switch content {
        case .scalar(""): "nothing"
        case .scalar(let text): "'\(text)'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
