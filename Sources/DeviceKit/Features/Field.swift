public import JSON

/// Declares one named value: a key of a command, of a published object, or of a configuration section.
///
/// Parsing, its error messages, the reference of topics and the discovery messages all come from here.
public struct Field: Hashable, Sendable {
    /// The key, in snake_case.
    public var name: String
    /// What may stand there.
    public var type: FieldType
    /// The unit in words or its sign: `degrees`, `ms`, `%`.
    public var unit: String?
    /// What holds where the key is left out; nil says that there is no such value.
    public var `default`: JSON.Value?
    /// Whether a command without it is refused.
    public var isRequired: Bool
    /// Whether `null` may stand there, with the meaning that ``summary`` gives it.
    public var isNullable: Bool
    /// One sentence for a person.
    public var summary: String
    /// Whether its value is shown to nobody: of a setting.
    public var isSecret = false

    /// Declares a field; without more it is optional, has no default and no unit.
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
