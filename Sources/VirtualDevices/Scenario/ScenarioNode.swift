/// A scenario file as its YAML reader sees it: text, lists and mappings, each with the line where it stands.
public struct ScenarioNode: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// What stands there.
    public var content: Content

    /// Makes a node.
    public init(line: Int, _ content: Content) {
        self.line = line
        self.content = content
    }

    /// What a node can be.
    public enum Content: Hashable, Sendable {
        /// Text, a number, a truth value: as it is written; empty for nothing at all.
        case scalar(String)
        /// A list.
        case sequence([ScenarioNode])
        /// Keys and values, in the order in which they are written.
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

        /// Makes an entry.
        public init(key: String, line: Int, value: ScenarioNode) {
            self.key = key
            self.line = line
            self.value = value
        }
    }

    /// How an error message calls what stands here.
    var found: String {
        switch content {
        case .scalar(""): "nothing"
        case .scalar(let text): "'\(text)'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
