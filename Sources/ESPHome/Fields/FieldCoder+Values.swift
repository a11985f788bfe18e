import Bluetooth

/// Fields of further types. Each is encoded as an unsigned number or as bytes.
extension FieldCoder {
    /// An unsigned number with a maximum. Reading a larger number throws an error.
    mutating func number<Number: UnsignedInteger & FixedWidthInteger>(
        _ number: Int, _ value: inout Number, most: Number = .max
    ) throws(MessageError) {
        var raw = UInt64(value)
        try unsigned(number, &raw)
        guard let read = Number(exactly: raw), read <= most else {
            throw MessageError("field \(number) is \(raw), expected at most \(most)")
        }
        value = read
    }

    mutating func flag(_ number: Int, _ value: inout Bool) throws(MessageError) {
        var raw: UInt64 = value ? 1 : 0
        try unsigned(number, &raw)
        value = raw != 0
    }

    /// A value of protobuf's type `int32`: a negative number is encoded as 64 bits, by sign extension.
    mutating func signed(_ number: Int, _ value: inout Int32) throws(MessageError) {
        var raw = UInt64(bitPattern: Int64(value))
        try unsigned(number, &raw)
        value = Int32(truncatingIfNeeded: raw)
    }

    /// A value of protobuf's type `sint32`: 0, -1, 1, -2 … are encoded as 0, 1, 2, 3 …
    mutating func zigzag(_ number: Int, _ value: inout Int32) throws(MessageError) {
        var raw = UInt64(UInt32(bitPattern: value << 1 ^ value >> 31))
        try unsigned(number, &raw)
        let low = UInt32(truncatingIfNeeded: raw)
        value = Int32(bitPattern: low >> 1) ^ -Int32(bitPattern: low & 1)
    }

    mutating func address(_ number: Int, _ value: inout Address) throws(MessageError) {
        var raw = value.number
        try self.number(number, &raw, most: 0xFFFF_FFFF_FFFF)
        value = Address(number: raw)
    }

    /// Text in UTF-8; invalid bytes are replaced.
    mutating func text(_ number: Int, _ value: inout String) throws(MessageError) {
        var raw = Array(value.utf8)
        try bytes(number, &raw, most: 1024)
        value = String(decoding: raw, as: UTF8.self)
    }

    /// A message in a field that is not repeated.
    mutating func message<Message: Fields>(_ number: Int, _ value: inout Message) throws(MessageError) {
        var values = value == Message() ? [] : [value]
        try messages(number, &values)
        value = values.last ?? Message()
    }
}
