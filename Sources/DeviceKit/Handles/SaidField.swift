import JSON

/// Declares one key of a published object, with the place of its value in what is published.
public struct SaidField<Whole: Sendable>: Sendable {
    let field: Field
    let path: any PartialKeyPath<Whole> & Sendable
    /// The value; nil where the key is left out.
    let encode: @Sendable (Whole) -> JSON.Value?

    /// Declares a key that is always there.
    public static func field<Part>(
        _ name: String, _ path: any KeyPath<Whole, Part> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, _ summary: String
    ) -> Self {
        Self(
            field: Field(name, kind.type, unit: unit, summary), path: path,
            encode: { kind.encode($0[keyPath: path]) })
    }

    /// Declares a key whose value may be unknown, which is published as `null`.
    public static func field<Part>(
        _ name: String, _ path: any KeyPath<Whole, Part?> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, _ summary: String
    ) -> Self {
        Self(
            field: Field(name, kind.type, unit: unit, nullable: true, summary), path: path,
            encode: { $0[keyPath: path].map(kind.encode) ?? .null })
    }

    /// Declares a key that is left out where there is no value.
    public static func optional<Part>(
        _ name: String, _ path: any KeyPath<Whole, Part?> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, _ summary: String
    ) -> Self {
        Self(
            field: Field(name, kind.type, unit: unit, summary), path: path,
            encode: { $0[keyPath: path].map(kind.encode) })
    }
}

extension Array {
    /// The object to publish.
    func value<Whole>(of whole: Whole) -> JSON.Value where Element == SaidField<Whole> {
        var object = JSON.Object()
        object.reserveCapacity(count + 2)
        for field in self {
            if let value = field.encode(whole) { object.append(new: field.field.name, value) }
        }
        return .object(object)
    }
}
