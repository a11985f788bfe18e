public import JSON

/// How values of a type are represented in JSON: the allowed values, and the conversion in both directions.
public struct ValueKind<Value: Sendable>: Sendable {
    /// The allowed values.
    public let type: FieldType
    @usableFromInline let encode: @Sendable (Value) -> JSON.Value
    @usableFromInline let decode: @Sendable (JSON.Value) -> Value?

    /// Creates a kind.
    ///
    /// - Parameters:
    ///   - type: The allowed values.
    ///   - encode: Converts a value to JSON.
    ///   - decode: Converts a JSON value that `type` allows; returns nil if the value has no meaning.
    public init(
        _ type: FieldType, encode: @escaping @Sendable (Value) -> JSON.Value,
        decode: @escaping @Sendable (JSON.Value) -> Value?
    ) {
        self.type = type
        self.encode = encode
        self.decode = decode
    }
}

extension ValueKind where Value == Bool {
    /// A Boolean, `true` or `false`.
    public static var boolean: Self { Self(.boolean, encode: { .bool($0) }, decode: \.bool) }
}

extension ValueKind where Value: FixedWidthInteger {
    /// A whole number within limits, both included.
    @inlinable
    public static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            .integer(range), encode: { .integer(Int(truncatingIfNeeded: $0)) },
            decode: { $0.integer.flatMap { Value(exactly: $0) } })
    }
}

extension ValueKind where Value == Double {
    /// A number within limits, both included.
    public static func number(_ range: ClosedRange<Double>) -> Self {
        Self(.number(range), encode: JSON.Value.init(number:), decode: \.double)
    }

    /// An angle in degrees, clockwise: 0 up to but not including 360.
    public static var angle: Self { Self(.angle, encode: JSON.Value.init(number:), decode: \.double) }
}

extension ValueKind where Value == Int {
    /// An angle in whole degrees, clockwise. When a number is read, its fraction is dropped.
    public static var angle: Self {
        Self(.angle, encode: { .integer($0) }, decode: { $0.double.map { Int($0) } })
    }
}

extension ValueKind where Value: Named {
    /// One of the names of all cases.
    @inlinable
    public static var choice: Self { choice(Array(Value.allCases)) }

    /// One of the names of these cases.
    @inlinable
    public static func choice(_ values: [Value]) -> Self { choice(values.map { ($0.name, $0) }) }
}

extension ValueKind where Value: Equatable {
    /// One of these words, each of which stands for a value.
    @inlinable
    public static func choice(_ words: [(name: String, value: Value)]) -> Self {
        Self(
            .choice(words.map(\.name)),
            encode: { value in words.first { $0.value == value }.map { .string($0.name) } ?? .null },
            decode: { word in words.first { $0.name == word.string }?.value })
    }
}

extension ValueKind where Value == String {
    /// Text of a certain form, with limits for its length in bytes of UTF-8.
    public static func text(_ form: TextForm, _ length: ClosedRange<Int>) -> Self {
        Self(.form(form, length), encode: { .string($0) }, decode: \.string)
    }

    /// Any text, with limits for its length in bytes of UTF-8.
    public static func text(_ length: ClosedRange<Int>) -> Self {
        Self(.text(length), encode: { .string($0) }, decode: \.string)
    }
}

extension ValueKind where Value == JSON.Value {
    /// Any JSON value. The code that uses the field checks it.
    public static var any: Self { Self(.any, encode: { $0 }, decode: { $0 }) }
}

extension ValueKind {
    /// An array of values of one kind.
    @inlinable
    public static func list<Element: Sendable>(
        _ element: ValueKind<Element>, count: ClosedRange<Int>
    ) -> Self where Value == [Element] {
        Self(
            .list(element.type, count: count), encode: { .array($0.map(element.encode)) },
            decode: { list in
                guard case .array(let array) = list else { return nil }
                var values: [Element] = []
                values.reserveCapacity(array.count)
                for one in array {
                    guard let value = element.decode(one) else { return nil }
                    values.append(value)
                }
                return values
            })
    }

    /// An object that is only published. Commands cannot contain it.
    public static func object(_ fields: [SaidField<Value>]) -> Self {
        let object = SaidObject(fields)
        return Self(.object(fields.map(\.field)), encode: { object.value(of: $0) }, decode: { _ in nil })
    }

    /// An object that commands can contain.
    ///
    /// - Parameter initial: The values for absent keys.
    public static func object(_ initial: Value, _ fields: [TakenField<Value>]) -> Self {
        Self(
            .object(fields.map { $0.declaration(initial) }),
            encode: { .object(fields.object(of: $0)) },
            decode: { value in value.object.flatMap { fields.value($0, initial) } })
    }
}

extension JSON.Value {
    /// Creates a number as people write it: a whole number has no decimal point.
    init(number: Double) { self = Int(exactly: number).map { .integer($0) } ?? .number(number) }
}
