/// A value of any D-Bus type.
public enum Value: Sendable, Hashable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    /// A file descriptor; the receiver owns a copy.
    case descriptor(Descriptor)
    /// An array of bytes (`ay`) in one block of memory. Received byte arrays always have this form.
    case bytes([UInt8])
    /// An array; all elements have the given type.
    case array([Value], of: ValueType)
    /// A dictionary in its wire order; all keys and values have the given types.
    case dictionary([Entry], key: ValueType, value: ValueType)
    /// A structure; never empty.
    case structure([Value])
    /// A value together with its type.
    indirect case variant(Value)

    /// One entry of a dictionary.
    public struct Entry: Sendable, Hashable {
        /// The key, of a basic type.
        public var key: Value
        /// The value, of any type.
        public var value: Value

        /// Creates an entry.
        public init(_ key: Value, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The D-Bus type of the value.
    public var type: ValueType {
        switch self {
        case .byte: .byte
        case .bool: .bool
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .descriptor: .descriptor
        case .bytes: .array(.byte)
        case .array(_, let element): .array(element)
        case .dictionary(_, let key, let value): .dictionary(key, value)
        case .structure(let fields): .structure(fields.map(\.type))
        case .variant: .variant
        }
    }
}
