extension Reader {
    /// Decodes the next value of any type.
    ///
    /// - Throws: `DBusError` with `.unexpectedType` at the end, or if a passed descriptor could not be adopted.
    public mutating func value() throws(DBusError) -> Value {
        switch nextTypeCode {
        case TypeCode.byte: .byte(try byte())
        case TypeCode.bool: .bool(try bool())
        case TypeCode.int16: .int16(try int16())
        case TypeCode.uint16: .uint16(try uint16())
        case TypeCode.int32: .int32(try int32())
        case TypeCode.uint32: .uint32(try uint32())
        case TypeCode.int64: .int64(try int64())
        case TypeCode.uint64: .uint64(try uint64())
        case TypeCode.double: .double(try double())
        case TypeCode.string: .string(try string())
        case TypeCode.objectPath: .objectPath(try objectPath())
        case TypeCode.signature: .signature(try signature())
        case TypeCode.descriptor: .descriptor(try descriptor())
        case TypeCode.variant: try variant()
        case TypeCode.structure: .structure(try values())
        case TypeCode.array: try array()
        default: throw .unexpected("The message ends where a value is expected")
        }
    }

    /// Decodes a dictionary of type `a{sv}`, with unwrapped values.
    public mutating func properties() throws(DBusError) -> [String: Value] {
        guard nextTypeCode == TypeCode.array, elementCode == TypeCode.entry else {
            throw .unexpected("Expected a dictionary; found another type")
        }
        var entries = try container()
        var properties: [String: Value] = [:]
        while !entries.isAtEnd {
            var entry = try entries.container()
            let key = try entry.string()
            properties[key] = try entry.unwrappedValue()
        }
        return properties
    }

    /// Decodes the next value; the content of a variant without the variant, which would need memory of its own.
    private mutating func unwrappedValue() throws(DBusError) -> Value {
        guard nextTypeCode == TypeCode.variant else { return try value() }
        var inner = try container()
        return try inner.value()
    }

    private mutating func variant() throws(DBusError) -> Value {
        var inner = try container()
        return .variant(try inner.value())
    }

    private mutating func values() throws(DBusError) -> [Value] {
        var inner = try container()
        var values: [Value] = []
        while !inner.isAtEnd { values.append(try inner.value()) }
        return values
    }

    private mutating func array() throws(DBusError) -> Value {
        switch elementCode {
        case TypeCode.byte: return .bytes(try bytes())
        case TypeCode.string: return .array(try values(), of: .string)
        case TypeCode.objectPath: return .array(try values(), of: .objectPath)
        default: break
        }
        switch try ValueType(signatureOfNext) {
        case .array(let element):
            return .array(try values(), of: element)
        case .dictionary(let key, let value):
            return .dictionary(try entries(), key: key, value: value)
        default:
            throw .unexpected("Expected an array; found another type")
        }
    }

    private mutating func entries() throws(DBusError) -> [Value.Entry] {
        var inner = try container()
        var entries: [Value.Entry] = []
        while !inner.isAtEnd {
            var entry = try inner.container()
            entries.append(Value.Entry(try entry.value(), try entry.value()))
        }
        return entries
    }
}
