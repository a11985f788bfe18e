public import JSON

/// Declares one key of a published object, with the place of its value in what is published.
public struct SaidField<Whole: Sendable>: Sendable {
    let field: Field
    let path: any PartialKeyPath<Whole> & Sendable
    /// The value; nil where the key is left out.
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

    /// Declares a key that is always there.
    ///
    /// Each message reads it: a stored property costs one load, a computed one some thousand instructions.
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

    /// Declares a key whose value may be unknown, which is published as `null`.
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

    /// Declares a key that is left out where there is no value.
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

/// The object of some fields: what of them is needed for each message.
struct SaidObject<Whole: Sendable>: Sendable {
    private struct Member: Sendable {
        let key: String
        let encode: @Sendable (Whole) -> JSON.Value?
    }

    private let members: [Member]

    init(_ fields: [SaidField<Whole>]) {
        members = fields.map { Member(key: $0.field.name, encode: $0.encode) }
    }

    /// The object to publish, with room for the time and the number that an event gets.
    func value(of whole: Whole) -> JSON.Value {
        var object = JSON.Object()
        object.reserveCapacity(members.count + 2)
        for member in members {
            if let value = member.encode(whole) { object.append(new: member.key, value) }
        }
        return .object(object)
    }
}
