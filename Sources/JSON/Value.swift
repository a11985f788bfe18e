/// A JSON value whose objects keep the order of their keys.
public enum Value: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int)
    /// Any other number; never an infinity, never not-a-number.
    case number(Double)
    case string(String)
    case array([Value])
    /// An object; equality asks for the same order too.
    case object(Object)
}

extension Value {
    /// The number, whichever way it was written; nil for anything else.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The whole number, `90.0` included; nil for anything else.
    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The string; nil for anything else.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The truth value; nil for anything else.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements; nil for anything else.
    public var array: [Value]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members; nil for anything else.
    public var object: Object? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member of an object, or nil.
    public subscript(key: String) -> Value? { object?[key] }

    /// What a person calls this kind of value: `a string`, `an object`, …
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
    /// Lets `nil` stand for `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Lets a literal stand for a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Lets a literal stand for a number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Lets a literal stand for a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Lets a literal stand for a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Lets a literal stand for an array.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    /// Lets a literal stand for an object; its keys must differ.
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(Object(literal: elements)) }
}
