import JSON

/// Declares the report of a feature as values of a type.
public struct Saying<Value: Sendable>: Sendable {
    private(set) var report: Report
    let encode: @Sendable (Value) -> JSON.Value
    let fields: [SaidField<Value>]

    private init(_ kind: Report.Kind, _ fields: [SaidField<Value>], example: Value, alternatives: [Value]) {
        let object = SaidObject(fields)
        let encode: @Sendable (Value) -> JSON.Value = { object.value(of: $0) }
        report = Report(
            kind, fields.map(\.field), example: encode(example), alternatives: alternatives.map(encode))
        self.encode = encode
        self.fields = fields
    }

    /// Declares a state with one plain value.
    public static func state(_ kind: ValueKind<Value>, unit: String? = nil, example: Value) -> Self {
        Self(kind, unit: unit, example: example)
    }

    private init(_ kind: ValueKind<Value>, unit: String?, example: Value) {
        report = Report(.state, kind.type, unit: unit, example: kind.encode(example))
        encode = kind.encode
        fields = []
    }

    /// Declares a state with an object.
    ///
    /// - Parameters:
    ///   - fields: The keys, in order.
    ///   - example: An example of a value.
    ///   - alternatives: Further examples, with keys that do not occur together with the keys of `example`.
    public static func state(
        _ fields: [SaidField<Value>], example: Value, alternatives: [Value] = []
    ) -> Self {
        Self(.state, fields, example: example, alternatives: alternatives)
    }

    /// Declares an event. The parameters are the same as for a state.
    public static func event(
        _ fields: [SaidField<Value>], example: Value, alternatives: [Value] = []
    ) -> Self {
        Self(.event, fields, example: example, alternatives: alternatives)
    }

    /// Declares a stream. The parameters are the same as for a state.
    public static func stream(
        _ fields: [SaidField<Value>], example: Value, alternatives: [Value] = []
    ) -> Self {
        Self(.stream, fields, example: example, alternatives: alternatives)
    }

    /// Returns the same declaration, for messages that can be an array of several values.
    public var batched: Self {
        var saying = self
        saying.report.isBatched = true
        return saying
    }

    /// Returns the name of the key that contains a part of the value.
    func name(_ path: PartialKeyPath<Value>) -> String {
        guard let field = fields.first(where: { $0.path == path }) else {
            preconditionFailure("a declaration names a key that it does not have: \(path)")
        }
        return field.field.name
    }
}
