public import JSON

/// How values of a type stand in JSON: what is allowed there, and the way in both directions.
public struct ValueKind<Value: Sendable>: Sendable {
    /// What is allowed.
    public let type: FieldType
    @usableFromInline let encode: @Sendable (Value) -> JSON.Value
    @usableFromInline let decode: @Sendable (JSON.Value) -> Value?

    /// Makes a kind.
    ///
    /// - Parameters:
    ///   - type: What is allowed.
    ///   - encode: The value as JSON.
    ///   - decode: The value of a JSON value that `type` allows; nil where it means none.
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
    /// `true` or `false`.
    public static var boolean: Self { Self(.boolean, encode: { .bool($0) }, decode: \.bool) }
}

extension ValueKind where Value: FixedWidthInteger {
    /// A whole number within limits.
    @inlinable
    public static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            .integer(range), encode: { .integer(Int(truncatingIfNeeded: $0)) },
            decode: { $0.integer.flatMap { Value(exactly: $0) } })
    }
}

extension ValueKind where Value == Double {
    /// A number within limits.
    public static func number(_ range: ClosedRange<Double>) -> Self {
        Self(.number(range), encode: JSON.Value.init(number:), decode: \.double)
    }

    /// An angle in degrees, clockwise: 0 up to but not including 360.
    public static var angle: Self { Self(.angle, encode: JSON.Value.init(number:), decode: \.double) }
}

extension ValueKind where Value == Int {
    /// An angle in whole degrees, clockwise. Of a number that is read the fraction is dropped.
    public static var angle: Self {
        Self(.angle, encode: { .integer($0) }, decode: { $0.double.map { Int($0) } })
    }
}

extension ValueKind where Value: Named {
    /// One of the names.
    @inlinable
    public static var choice: Self { choice(Array(Value.allCases)) }

    /// One of some of the names.
    @inlinable
    public static func choice(_ values: [Value]) -> Self { choice(values.map { ($0.name, $0) }) }
}

extension ValueKind where Value: Equatable {
    /// One of some words, each of which stands for a value.
    @inlinable
    public static func choice(_ words: [(name: String, value: Value)]) -> Self {
        Self(
            .choice(words.map(\.name)),
            encode: { value in words.first { $0.value == value }.map { .string($0.name) } ?? .null },
            decode: { word in words.first { $0.name == word.string }?.value })
    }
}

extension ValueKind where Value == String {
    /// Text of so many bytes of UTF-8 that looks like something.
    public static func text(_ form: TextForm, _ length: ClosedRange<Int>) -> Self {
        Self(.form(form, length), encode: { .string($0) }, decode: \.string)
    }

    /// Free text of so many bytes of UTF-8.
    public static func text(_ length: ClosedRange<Int>) -> Self {
        Self(.text(length), encode: { .string($0) }, decode: \.string)
    }
}

extension ValueKind where Value == JSON.Value {
    /// Whatever is JSON; checked by the one who uses it.
    public static var any: Self { Self(.any, encode: { $0 }, decode: { $0 }) }
}

extension ValueKind {
    /// So many values of one kind.
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

    /// An object that is published. It cannot be read.
    public static func object(_ fields: [SaidField<Value>]) -> Self {
        let object = SaidObject(fields)
        return Self(.object(fields.map(\.field)), encode: { object.value(of: $0) }, decode: { _ in nil })
    }

    /// An object that is taken.
    ///
    /// - Parameter initial: What holds where a key is left out.
    public static func object(_ initial: Value, _ fields: [TakenField<Value>]) -> Self {
        Self(
            .object(fields.map { $0.declaration(initial) }),
            encode: { .object(fields.object(of: $0)) },
            decode: { value in value.object.flatMap { fields.value($0, initial) } })
    }
}

extension JSON.Value {
    /// A number as people write it: a whole one without a decimal point.
    init(number: Double) { self = Int(exactly: number).map { .integer($0) } ?? .number(number) }
}
