import CDBus

/// Appends values to a message of libdbus. The values must be valid.
struct ValueWriter {
    private var iterator = DBusMessageIter()

    /// Starts after the last argument of `message`.
    init(message: OpaquePointer) {
        dbus_message_iter_init_append(message, &iterator)
    }

    private init() {}

    mutating func append(_ value: Value) throws(DBusError) {
        switch value {
        case .byte(let number): try append(number, TypeCode.byte)
        case .bool(let truth): try append(dbus_bool_t(truth ? 1 : 0), TypeCode.bool)
        case .int16(let number): try append(number, TypeCode.int16)
        case .uint16(let number): try append(number, TypeCode.uint16)
        case .int32(let number): try append(number, TypeCode.int32)
        case .uint32(let number): try append(number, TypeCode.uint32)
        case .int64(let number): try append(number, TypeCode.int64)
        case .uint64(let number): try append(number, TypeCode.uint64)
        case .double(let number): try append(number, TypeCode.double)
        case .string(let text): try append(text, TypeCode.string)
        case .objectPath(let path): try append(path.description, TypeCode.objectPath)
        case .signature(let signature): try append(signature.description, TypeCode.signature)
        // libdbus duplicates the descriptor, so the message does not need the original.
        case .descriptor(let descriptor): try append(descriptor.number, TypeCode.descriptor)
        case .bytes(let bytes): try append(bytes)
        case .array(let elements, let type):
            try append(TypeCode.array, holding: type.description) { (writer) throws(DBusError) in
                for element in elements { try writer.append(element) }
            }
        case .dictionary(let entries, let key, let value):
            let entry = key == .string && value == .variant ? "{sv}" : "{\(key)\(value)}"
            try append(TypeCode.array, holding: entry) { (writer) throws(DBusError) in
                for entry in entries { try writer.append(entry) }
            }
        case .structure(let fields):
            try append(TypeCode.structure, holding: nil) { (writer) throws(DBusError) in
                for field in fields { try writer.append(field) }
            }
        case .variant(let inner):
            try append(TypeCode.variant, holding: inner.type.description) { (writer) throws(DBusError) in
                try writer.append(inner)
            }
        }
    }

    private mutating func append(_ entry: Value.Entry) throws(DBusError) {
        try append(TypeCode.entry, holding: nil) { (writer) throws(DBusError) in
            try writer.append(entry.key)
            try writer.append(entry.value)
        }
    }

    private mutating func append<Fixed: BitwiseCopyable>(
        _ value: Fixed, _ code: CInt
    ) throws(DBusError) {
        var value = value
        guard dbus_message_iter_append_basic(&iterator, code, &value) != 0 else { throw .noMemory }
    }

    private mutating func append(_ text: String, _ code: CInt) throws(DBusError) {
        let isDone = text.withCString { start in
            var start = Optional(start)
            return dbus_message_iter_append_basic(&iterator, code, &start)
        }
        guard isDone != 0 else { throw .noMemory }
    }

    private mutating func append(_ bytes: [UInt8]) throws(DBusError) {
        try append(TypeCode.array, holding: "y") { (writer) throws(DBusError) in
            guard !bytes.isEmpty else { return }
            let isDone = bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return dbus_message_iter_append_fixed_array(
                    &writer.iterator, TypeCode.byte, &start, CInt(buffer.count))
            }
            guard isDone != 0 else { throw .noMemory }
        }
    }

    private mutating func append(
        _ code: CInt, holding signature: String?, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = ValueWriter()
        let isOpen =
            if let signature {
                // A `String` argument would be copied into an array first.
                signature.withCString {
                    dbus_message_iter_open_container(&iterator, code, $0, &inner.iterator)
                }
            } else {
                dbus_message_iter_open_container(&iterator, code, nil, &inner.iterator)
            }
        guard isOpen != 0 else { throw .noMemory }
        do {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner.iterator)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner.iterator) != 0 else { throw .noMemory }
    }
}
