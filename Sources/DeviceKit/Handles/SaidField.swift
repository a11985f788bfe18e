public import JSON

/// Declares one key of a published object, and the location of its value in the Swift type.
public struct SaidField<Whole: Sendable>: Sendable {
    let field: Field
    let path: any PartialKeyPath<Whole> & Sendable
    /// Returns the value of the key; nil to omit the key.
    let encode: @Sendable (Whole) -> JSON.Value?

    @usableFromInline
    init(
        field: Field, path: any PartialKeyPath<Whole> & Sendable,
        encode: @escaping @Sendable (Whole) -> JSON.Value?
    ) {
        self.field = field
        self.path = path
        self.encode = encode
    }

    /// Declares a key that is always present.
    ///
    /// The value is read for every message. A stored property costs one load, a computed property some thousand
    /// instructions.
    @inlinable
    public static func field<Part>(
        _ name: String, _ path: any KeyPath<Whole, Part> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, _ summary: String
    ) -> Self {
        let place = Place(path)
        return Self(
            field: Field(name, kind.type, unit: unit, summary), path: path,
            encode: { kind.encode(place.read($0)) })
    }

    /// Declares a key whose value can be unknown, which is published as `null`.
    @inlinable
    public static func field<Part>(
        _ name: String, _ path: any KeyPath<Whole, Part?> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, _ summary: String
    ) -> Self {
        let place = Place(path)
        return Self(
            field: Field(name, kind.type, unit: unit, nullable: true, summary), path: path,
            encode: { place.read($0).map(kind.encode) ?? .null })
    }

    /// Declares a key that is omitted if there is no value.
    @inlinable
    public static func optional<Part>(
        _ name: String, _ path: any KeyPath<Whole, Part?> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, _ summary: String
    ) -> Self {
        let place = Place(path)
        return Self(
            field: Field(name, kind.type, unit: unit, summary), path: path,
            encode: { place.read($0).map(kind.encode) })
    }
}

/// Creates published objects from values of a Swift type. For each field, it keeps only the key and the conversion,
/// which every message needs, so that a message does not copy whole declarations.
struct SaidObject<Whole: Sendable>: Sendable {
    private struct Member: Sendable {
        let key: String
        let encode: @Sendable (Whole) -> JSON.Value?
    }

    private let members: [Member]

    init(_ fields: [SaidField<Whole>]) {
        members = fields.map { Member(key: $0.field.name, encode: $0.encode) }
    }

    /// Returns the object to publish, with capacity for the `time` and `seq` of an event.
    func value(of whole: Whole) -> JSON.Value {
        var object = JSON.Object()
        object.reserveCapacity(members.count + 2)
        for member in members {
            if let value = member.encode(whole) { object.append(new: member.key, value) }
        }
        return .object(object)
    }
}
