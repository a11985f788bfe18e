extension Value {
    /// The text; nil for other types.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The boolean; nil for other types.
    public var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The number, if the value has any integer type and fits.
    public var integer: Int? {
        switch self {
        case .byte(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int32(let number): Int(number)
        case .uint32(let number): Int(number)
        case .int64(let number): Int(exactly: number)
        case .uint64(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The floating-point number; nil for other types than double.
    public var double: Double? {
        if case .double(let number) = self { number } else { nil }
    }

    /// The object path; nil for other types.
    public var objectPath: ObjectPath? {
        if case .objectPath(let path) = self { path } else { nil }
    }

    /// The descriptor; nil for other types.
    public var descriptor: Descriptor? {
        if case .descriptor(let descriptor) = self { descriptor } else { nil }
    }

    /// The bytes, if the value is an array of bytes.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The elements, if the value is an array, including an array of bytes.
    public var elements: [Value]? {
        switch self {
        case .array(let elements, _): elements
        case .bytes(let bytes): bytes.map { .byte($0) }
        default: nil
        }
    }

    /// The strings, if the value is an array of strings.
    public var strings: [String]? {
        guard case .array(let elements, of: .string) = self else { return nil }
        return elements.compactMap(\.string)
    }

    /// The fields, if the value is a structure.
    public var fields: [Value]? {
        if case .structure(let fields) = self { fields } else { nil }
    }

    /// The entries, if the value is a dictionary.
    public var entries: [Entry]? {
        if case .dictionary(let entries, _, _) = self { entries } else { nil }
    }

    /// The inner value of a variant; otherwise the value itself.
    public var unwrapped: Value {
        if case .variant(let inner) = self { inner } else { self }
    }

    /// The entries with unwrapped values, if the value is a dictionary with string keys (`a{sv}`).
    public var properties: [String: Value]? {
        guard case .dictionary(let entries, key: .string, value: _) = self else { return nil }
        var properties: [String: Value] = [:]
        properties.reserveCapacity(entries.count)
        for entry in entries {
            if case .string(let key) = entry.key { properties[key] = entry.value.unwrapped }
        }
        return properties
    }

    /// Creates an `a{sv}`, sorted by key, with the values in variants.
    public static func properties(_ properties: [String: Value]) -> Value {
        let sorted = properties.sorted { $0.key < $1.key }
        return .dictionary(
            sorted.map { Entry(.string($0.key), .variant($0.value)) }, key: .string, value: .variant)
    }

    /// Creates an `as`.
    public static func strings(_ strings: some Sequence<String>) -> Value {
        .array(strings.map { .string($0) }, of: .string)
    }

    /// Creates an `ao`.
    public static func objectPaths(_ paths: some Sequence<ObjectPath>) -> Value {
        .array(paths.map { .objectPath($0) }, of: .objectPath)
    }
}
