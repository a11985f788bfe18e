public import JSON

/// Declares one key of a command or of settings, and the location of its value in the Swift type.
public struct TakenField<Whole: Sendable>: Sendable {
    @usableFromInline let name: String
    let path: any PartialKeyPath<Whole> & Sendable
    /// Returns the declaration of the key. The default in the declaration comes from the given initial value.
    let declaration: @Sendable (Whole) -> Field
    /// Stores the value of the key in the Swift value; nil means that the key is absent. Returns false if the value has
    /// the wrong type, or is required but absent.
    @usableFromInline let decode: @Sendable (inout Whole, JSON.Value?) -> Bool
    /// Returns the value of the key; nil if the property in the Swift value is nil, so that the key is omitted.
    let encode: @Sendable (Whole) -> JSON.Value?

    @usableFromInline
    init(
        name: String, path: any PartialKeyPath<Whole> & Sendable,
        declaration: @escaping @Sendable (Whole) -> Field,
        decode: @escaping @Sendable (inout Whole, JSON.Value?) -> Bool,
        encode: @escaping @Sendable (Whole) -> JSON.Value?
    ) {
        self.name = name
        self.path = path
        self.declaration = declaration
        self.decode = decode
        self.encode = encode
    }

    /// Declares a key that is either required or has the property's initial value as its default.
    @inlinable
    public static func field<Part>(
        _ name: String, _ path: any WritableKeyPath<Whole, Part> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, required: Bool = false, _ summary: String
    ) -> Self {
        let place = WritablePlace(path)
        return Self(
            name: name, path: path,
            declaration: { initial in
                // A conditional expression would turn nil into JSON null.
                var field = Field(name, kind.type, unit: unit, required: required, summary)
                if !required { field.default = kind.encode(place.read(initial)) }
                return field
            },
            decode: { whole, value in
                guard let value else { return !required }
                guard let part = kind.decode(value) else { return false }
                place.write(&whole, part)
                return true
            },
            encode: { kind.encode(place.read($0)) })
    }

    /// Declares an optional key.
    ///
    /// - Parameter nullable: Whether `null` is allowed too, and is the default.
    @inlinable
    public static func field<Part>(
        _ name: String, _ path: any WritableKeyPath<Whole, Part?> & Sendable, _ kind: ValueKind<Part>,
        unit: String? = nil, nullable: Bool = false, _ summary: String
    ) -> Self {
        let place = WritablePlace(path)
        return Self(
            name: name, path: path,
            declaration: { _ in
                var field = Field(name, kind.type, unit: unit, nullable: nullable, summary)
                if nullable { field.default = .some(.null) }
                return field
            },
            decode: { whole, value in
                guard let value, value != .null else { return true }
                guard let part = kind.decode(value) else { return false }
                place.write(&whole, part)
                return true
            },
            encode: { whole in
                guard let part = place.read(whole) else { return nullable ? .some(.null) : .none }
                return kind.encode(part)
            })
    }
}

extension Array {
    /// Returns the value that the checked members of an object represent; nil if they do not fit their declaration.
    @inlinable
    func value<Whole>(_ members: JSON.Object, _ initial: Whole) -> Whole?
    where Element == TakenField<Whole> {
        var whole = initial
        for field in self where !field.decode(&whole, members[field.name]) { return nil }
        return whole
    }

    /// Returns the object that represents a value, with its keys in order.
    func object<Whole>(of whole: Whole) -> JSON.Object where Element == TakenField<Whole> {
        var object = JSON.Object()
        for field in self { object[field.name] = field.encode(whole) }
        return object
    }

    /// Returns the object that represents a value, with only some of its keys: the required keys, the keys whose values
    /// differ from the initial value, and the keys that `paths` names.
    func difference<Whole>(
        _ whole: Whole, from initial: Whole, also paths: [PartialKeyPath<Whole>]
    ) -> JSON.Object where Element == TakenField<Whole> {
        var object = JSON.Object()
        let names = paths.map { name($0) }
        for field in self {
            let value = field.encode(whole)
            let isAsked = names.contains(field.name) || field.declaration(initial).isRequired
            if isAsked || value != field.encode(initial) { object[field.name] = value }
        }
        return object
    }

    func name<Whole>(_ path: PartialKeyPath<Whole>) -> String where Element == TakenField<Whole> {
        guard let field = first(where: { $0.path == path }) else {
            preconditionFailure("a declaration names a key that it does not have: \(path)")
        }
        return field.name
    }
}
