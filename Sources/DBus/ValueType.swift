/// A single complete D-Bus type.
public indirect enum ValueType: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    case byte, bool, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature, descriptor, variant
    case array(ValueType)
    /// A dictionary from a basic type to any type.
    case dictionary(ValueType, ValueType)
    /// A structure; never empty.
    case structure([ValueType])

    /// Parses one type of a signature, such as `a{sv}`.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if the text is not exactly one valid type.
    public init(_ text: String) throws(DBusError) {
        let types = try SignatureParser.parse(text)
        guard types.count == 1 else { throw .invalid("\"\(text)\" is not a single D-Bus type") }
        self = types[0]
    }

    /// Creates a type from a literal; an invalid type stops the process.
    public init(stringLiteral text: String) {
        do {
            self = try ValueType(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Whether the type may be the key of a dictionary.
    public var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// The type in the syntax of signatures.
    public var description: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .variant: "v"
        case .array(let element): "a\(element)"
        case .dictionary(let key, let value): "a{\(key)\(value)}"
        case .structure(let fields): "(\(fields.map(\.description).joined()))"
        }
    }
}
