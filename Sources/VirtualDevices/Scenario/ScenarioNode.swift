/// A parsed scenario file: scalars, lists and mappings, with their line numbers.
public struct ScenarioNode: Hashable, Sendable {
    /// The line, from 1.
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

    /// A key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The line of the key.
        public var line: Int
        /// The value.
        public var value: ScenarioNode

        /// Creates an entry.
        public init(key: String, line: Int, value: ScenarioNode) {
            self.key = key
            self.line = line
            self.value = value
        }
    }

    /// The content of the node, for errors.
    var found: String {
        switch content {
        case .scalar(""): "nothing"
        case .scalar(let text): "'\(text)'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
