public import JSON

/// Declares how a value is set by a person: which key of the command, and where its present value is read.
public struct Control: Hashable, Sendable {
    /// Where a present value is read.
    public struct Source: Hashable, Sendable {
        /// The feature that reports it; nil for the one that takes the command.
        public var feature: String?
        /// The field of the report; nil for a plain one.
        public var field: String?

        /// Names a report, or a field of one.
        public init(feature: String? = nil, field: String? = nil) {
            self.feature = feature
            self.field = field
        }
    }

    /// The key of the command that is set.
    public var field: String
    /// The words that are offered; nil for all of the key's.
    public var choices: [String]?
    /// Where the present value is read.
    public var state: Source
    /// What else the command needs.
    public var also: JSON.Object

    /// Declares what is set; its present value is the feature's own report, plain unless a field is named.
    public init(
        _ field: String, choices: [String]? = nil, state: Source = Source(), also: JSON.Object = [:]
    ) {
        self.field = field
        self.choices = choices
        self.state = state
        self.also = also
    }
}
