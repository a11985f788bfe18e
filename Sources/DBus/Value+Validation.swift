extension Value {
    /// The maximum length of an array in bytes, from the specification.
    private static let maximumArrayLength = 1 << 26
    /// The maximum nesting depth of containers, including variants.
    private static let maximumDepth = 64

    /// Validates the value as a value of its own type, and returns the length of that type in a signature.
    ///
    /// The most frequent values are validated without creating their types.
    func validatedLength() throws(DBusError) -> Int {
        switch self {
        case .bytes:
            try validate(as: .bytes)
            return 2
        case .dictionary(let entries, .string, .variant):
            for entry in entries {
                try entry.key.validate(as: .string, depth: 2)
                try entry.value.validate(as: .variant, depth: 2)
            }
            return 5
        default:
            let type = type
            let length = try type.checkedLength()
            try validate(as: type)
            return length
        }
    }

    /// Validates the value as a value of `type`: libdbus aborts the process on invalid values.
    package func validate(as type: ValueType, depth: Int = 0) throws(DBusError) {
        guard depth <= Self.maximumDepth else {
            throw .invalid("A value is nested deeper than 64 containers")
        }
        switch (self, type) {
        case (.byte, .byte), (.bool, .bool), (.int16, .int16), (.uint16, .uint16), (.int32, .int32),
            (.uint32, .uint32), (.int64, .int64), (.uint64, .uint64), (.double, .double),
            (.objectPath, .objectPath), (.signature, .signature), (.descriptor, .descriptor):
            return
        case (.string(let text), .string):
            guard Syntax.isCString(text) else { throw .invalid("A string contains a zero byte") }
        case (.bytes(let bytes), .array(.byte)):
            guard bytes.count <= Self.maximumArrayLength else {
                throw .invalid("An array of \(bytes.count) bytes is longer than 64 MiB")
            }
        case (.array(let elements, let own), .array(let element)) where own == element:
            // Every element is at least one byte long, so more elements are always too many bytes.
            guard elements.count <= Self.maximumArrayLength else {
                throw .invalid("An array of \(elements.count) elements is longer than 64 MiB")
            }
            for value in elements { try value.validate(as: element, depth: depth + 1) }
        case (.dictionary(let entries, let ownKey, let ownValue), .dictionary(let key, let value))
        where ownKey == key && ownValue == value:
            for entry in entries {
                try entry.key.validate(as: key, depth: depth + 2)
                try entry.value.validate(as: value, depth: depth + 2)
            }
        case (.structure(let fields), .structure(let types)) where fields.count == types.count:
            for (field, type) in zip(fields, types) { try field.validate(as: type, depth: depth + 1) }
        case (.variant(let inner), .variant):
            let type = inner.type
            guard try type.checkedLength() <= Signature.maximumLength else { throw .tooLongSignature }
            try inner.validate(as: type, depth: depth + 1)
        default:
            throw .invalid("Expected a value of type \(type); found type \(self.type)")
        }
    }
}
