public import JSON

/// Declares how a user sets a value: the key of the command, and the source of the current value.
public struct Control: Hashable, Sendable {
    /// The source of a current value.
    public struct Source: Hashable, Sendable {
        /// The feature that reports the value; nil for the feature that has the command.
        public var feature: String?
        /// The field of the report; nil for a plain report.
        public var field: String?
        /// The value that is shown if the report is `null`: a number or a word; nil to show the value as unknown.
        public var whenNull: JSON.Value?

        /// Names a report, or one field of a report.
        public init(feature: String? = nil, field: String? = nil, whenNull: JSON.Value? = nil) {
            self.feature = feature
            self.field = field
            self.whenNull = whenNull
        }
    }

    /// The key of the command.
    public var field: String
    /// The words that the user can choose; nil for all words of the key.
    public var choices: [String]?
    /// The source of the current value.
    public var state: Source
    /// The other members that the command requires.
    public var also: JSON.Object
    /// How a Boolean or a choice of two words is shown; nil for the usual way, which the words decide. The first word,
    /// or true, means on or open.
    public var form: Form?

    /// The ways to show a value that is one of two.
    public enum Form: String, Hashable, Sendable {
        /// A switch.
        case toggle = "switch"
        /// A valve.
        case valve
    }

    /// Declares a control. By default its current value is the plain report of the same feature.
    public init(
        _ field: String, choices: [String]? = nil, state: Source = Source(), also: JSON.Object = [:]
    ) {
        self.field = field
        self.choices = choices
        self.state = state
        self.also = also
    }
}
