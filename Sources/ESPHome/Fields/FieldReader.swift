/// Reads the fields of a message. Fields with unknown numbers are skipped.
struct FieldReader: FieldCoder {
    /// The maximum number of elements in a list.
    static let maximumElements = 4096

    private enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A value with a fixed size of 32 or 64 bits. No known field has such a value.
        case fixed
    }

    private var number = 0
    private var value = Value.fixed

    static func read<Message: Fields>(
        _ bytes: ArraySlice<UInt8>, as type: Message.Type = Message.self
    ) throws(MessageError) -> Message {
        var (message, reader, rest) = (Message(), FieldReader(), bytes)
        while try reader.next(&rest) { try message.code(&reader) }
        return message
    }

    /// Reads the next field from the start of `rest` and removes it; returns false if no field is left.
    private mutating func next(_ rest: inout ArraySlice<UInt8>) throws(MessageError) -> Bool {
        guard !rest.isEmpty else { return false }
        let key = try Self.number(&rest)
        guard let number = Int(exactly: key >> 3), (1..<1 << 29).contains(number) else {
            throw MessageError("a field has the number \(key >> 3), expected 1 to 536870911")
        }
        self.number = number
        switch key & 7 {
        case 0: value = .number(try Self.number(&rest))
        case 1: _ = try Self.take(8, from: &rest)
        case 2:
            let count = try Self.number(&rest)
            value = .bytes(try Self.take(count, from: &rest))
        case 5: _ = try Self.take(4, from: &rest)
        default: throw MessageError("field \(number) has the wire type \(key & 7), expected 0, 1, 2 or 5")
        }
        if key & 7 == 1 || key & 7 == 5 { value = .fixed }
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws(MessageError) -> UInt64 {
        guard let number = try Varint.take(from: &rest) else {
            throw MessageError("the message ends in the middle of a number")
        }
        return number
    }

    private static func take(
        _ count: UInt64, from rest: inout ArraySlice<UInt8>
    ) throws(MessageError) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else {
            throw MessageError("the message ends after \(rest.count) of \(count) bytes of a field")
        }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private var mismatch: MessageError { MessageError("field \(number) has the wrong wire type") }

    mutating func unsigned(_ number: Int, _ value: inout UInt64) throws(MessageError) {
        guard number == self.number else { return }
        guard case .number(let read) = self.value else { throw mismatch }
        value = read
    }

    mutating func list(_ number: Int, _ values: inout [UInt64]) throws(MessageError) {
        guard number == self.number else { return }
        switch value {
        case .number(let read): values.append(read)
        case .bytes(var packed):
            while !packed.isEmpty, values.count <= Self.maximumElements {
                values.append(try Self.number(&packed))
            }
        case .fixed: throw mismatch
        }
        try checkCount(values.count)
    }

    mutating func bytes(_ number: Int, _ value: inout [UInt8], most: Int) throws(MessageError) {
        guard number == self.number else { return }
        guard case .bytes(let read) = self.value else { throw mismatch }
        guard read.count <= most else {
            throw MessageError("field \(number) has \(read.count) bytes, expected at most \(most)")
        }
        value = Array(read)
    }

    mutating func messages<Message: Fields>(_ number: Int, _ values: inout [Message]) throws(MessageError) {
        guard number == self.number else { return }
        guard case .bytes(let read) = value else { throw mismatch }
        values.append(try Self.read(read))
        try checkCount(values.count)
    }

    private func checkCount(_ count: Int) throws(MessageError) {
        guard count <= Self.maximumElements else {
            throw MessageError("field \(number) has more than \(Self.maximumElements) elements")
        }
    }
}
