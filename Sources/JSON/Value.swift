/// A JSON value. Objects keep the order of their keys.
public enum Value: Hashable, Sendable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent that fits in 64 bits.
    case integer(Int)
    /// Any other number; never an infinity or not-a-number.
    case number(Double)
    case string(String)
    case array([Value])
    /// An object. Equality includes the order.
    case object(Object)
}

extension Value {
    /// The value as a double; nil if it is not a number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value as an integer, even if it is written as `90.0`; nil for other values.
    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The string; nil for other values.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The Boolean; nil for other values.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; nil for other values.
    public var array: [Value]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members of an object; nil for other values.
    public var object: Object? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member of an object; nil if it is absent or the value is not an object.
    public subscript(key: String) -> Value? { object?[key] }

    /// The name of the value's kind for users: `a string`, `an object`, …
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null` from a literal.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a Boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a number from a literal.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array from a literal.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    /// Creates an object from a literal with unique keys.
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(Object(literal: elements)) }
}
