import CDBus

/// Reads the arguments of a message, or of one container in it, one by one.
///
/// Every read advances by one value. The readers of containers are independent of the outer reader.
public struct Reader {
    private let message: IncomingMessage
    private var iterator = DBusMessageIter()
    private var code: CInt

    /// Starts at the first argument.
    init(_ message: IncomingMessage) {
        self.message = message
        // The function returns false if there are no arguments; the iterator is usable in either case.
        _ = dbus_message_iter_init(message.handle, &iterator)
        code = dbus_message_iter_get_arg_type(&iterator)
    }

    private init(inside outer: inout Reader) {
        message = outer.message
        dbus_message_iter_recurse(&outer.iterator, &iterator)
        code = dbus_message_iter_get_arg_type(&iterator)
    }

    /// Whether there are no further values.
    public var isAtEnd: Bool { code == TypeCode.invalid }

    /// The type code of the next value as in signatures, but `r` for structures and `e` for dictionary entries;
    /// nil at the end.
    public var nextCode: Unicode.Scalar? { isAtEnd ? nil : Unicode.Scalar(UInt8(truncatingIfNeeded: code)) }

    /// Skips one value.
    public mutating func skip() {
        _ = dbus_message_iter_next(&iterator)
        code = dbus_message_iter_get_arg_type(&iterator)
    }

    /// Reads a byte.
    public mutating func byte() throws(DBusError) -> UInt8 { try basic(TypeCode.byte, 0) }
    /// Reads a boolean.
    public mutating func bool() throws(DBusError) -> Bool { try basic(TypeCode.bool, dbus_bool_t(0)) != 0 }
    /// Reads a 16-bit integer.
    public mutating func int16() throws(DBusError) -> Int16 { try basic(TypeCode.int16, 0) }
    /// Reads an unsigned 16-bit integer.
    public mutating func uint16() throws(DBusError) -> UInt16 { try basic(TypeCode.uint16, 0) }
    /// Reads a 32-bit integer.
    public mutating func int32() throws(DBusError) -> Int32 { try basic(TypeCode.int32, 0) }
    /// Reads an unsigned 32-bit integer.
    public mutating func uint32() throws(DBusError) -> UInt32 { try basic(TypeCode.uint32, 0) }
    /// Reads a 64-bit integer.
    public mutating func int64() throws(DBusError) -> Int64 { try basic(TypeCode.int64, 0) }
    /// Reads an unsigned 64-bit integer.
    public mutating func uint64() throws(DBusError) -> UInt64 { try basic(TypeCode.uint64, 0) }
    /// Reads a floating-point number.
    public mutating func double() throws(DBusError) -> Double { try basic(TypeCode.double, 0) }
    /// Reads a string.
    public mutating func string() throws(DBusError) -> String { try text(TypeCode.string) }
    /// Reads an object path.
    public mutating func objectPath() throws(DBusError) -> ObjectPath {
        ObjectPath(unchecked: try text(TypeCode.objectPath))
    }
    /// Reads a signature.
    public mutating func signature() throws(DBusError) -> Signature {
        try Signature(try text(TypeCode.signature))
    }

    /// Adopts a passed file descriptor.
    public mutating func descriptor() throws(DBusError) -> Descriptor {
        let number: CInt = try basic(TypeCode.descriptor, -1)
        guard number >= 0 else { throw .unexpected("A passed descriptor could not be received") }
        return Descriptor(adopting: number)
    }

    /// Whether the next value is this string, without creating a string; advances by one value.
    public mutating func string(is text: String) throws(DBusError) -> Bool {
        try require(TypeCode.string)
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &start)
        defer { skip() }
        return UTF8Text.equal(start, text)
    }

    /// Reads an array of bytes.
    public mutating func bytes() throws(DBusError) -> [UInt8] {
        try withBytes { Array($0) }
    }

    /// Provides access to the memory of an array of bytes, which is valid only during `body`.
    public mutating func withBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws(DBusError) -> Result {
        try require(TypeCode.array)
        guard dbus_message_iter_get_element_type(&iterator) == TypeCode.byte else {
            throw .unexpected("Expected an array of bytes (ay); found another array")
        }
        let inner = Reader(inside: &self)
        defer { skip() }
        return inner.withFixedBytes(body)
    }

    /// Returns a reader of an array, a structure, a dictionary entry or a variant, and skips that container.
    public mutating func container() throws(DBusError) -> Reader {
        switch code {
        case TypeCode.array, TypeCode.structure, TypeCode.entry, TypeCode.variant:
            let inner = Reader(inside: &self)
            skip()
            return inner
        default:
            throw .unexpected("Expected a container; found a value of type \(typeName)")
        }
    }

    var elementCode: CInt {
        mutating get { dbus_message_iter_get_element_type(&iterator) }
    }

    /// The full signature of the next value; used rarely, because libdbus allocates memory for the signature.
    var signatureOfNext: String {
        mutating get {
            guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
            defer { dbus_free(text) }
            return String(cString: text)
        }
    }

    var nextTypeCode: CInt { code }

    private func withFixedBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard !isAtEnd else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
        var iterator = iterator
        var start: UnsafePointer<UInt8>?
        var count: CInt = 0
        dbus_message_iter_get_fixed_array(&iterator, &start, &count)
        return body(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private mutating func basic<Fixed: BitwiseCopyable>(
        _ expected: CInt, _ initial: Fixed
    ) throws(DBusError) -> Fixed {
        try require(expected)
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        skip()
        return value
    }

    private mutating func text(_ expected: CInt) throws(DBusError) -> String {
        try require(expected)
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &start)
        let text = start.map { String(cString: $0) } ?? ""
        skip()
        return text
    }

    private func require(_ expected: CInt) throws(DBusError) {
        guard code == expected else {
            let wanted = Unicode.Scalar(UInt8(truncatingIfNeeded: expected))
            throw .unexpected("Expected \(wanted); found a value of type \(typeName)")
        }
    }

    private var typeName: String { nextCode.map { String(Character($0)) } ?? "nothing" }
}
