public import JSON

/// Declares one named value: a key of a command, of a published object, or of a configuration section.
///
/// Parsing, error messages, the reference of topics and the discovery messages are derived from this declaration.
public struct Field: Hashable, Sendable {
    /// The key, in snake_case.
    public var name: String
    /// The allowed values.
    public var type: FieldType
    /// The unit, as a word or a sign: `degrees`, `ms`, `%`.
    public var unit: String?
    /// The value if the key is absent; nil if there is no default.
    public var `default`: JSON.Value?
    /// Whether a command without the key is refused.
    public var isRequired: Bool
    /// Whether `null` is allowed, with the meaning that ``summary`` states.
    public var isNullable: Bool
    /// A description in one sentence for users.
    public var summary: String
    /// Whether the value is a secret of the user, such as a password, and is never shown.
    public var isSecret = false

    /// Declares a field; by default it is optional and has neither default nor unit.
    public init(
        _ name: String, _ type: FieldType, unit: String? = nil, default: JSON.Value? = nil,
        required: Bool = false, nullable: Bool = false, _ summary: String
    ) {
        self.name = name
        self.type = type
        self.unit = unit
        self.default = `default`
        self.isRequired = required
        self.isNullable = nullable
        self.summary = summary
    }
}
