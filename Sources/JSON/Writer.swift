extension Value {
    /// The JSON text without white space, as UTF-8.
    public var bytes: [UInt8] {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ValueWriter.capacity) { room in
            var writer = ValueWriter(room)
            writer.write(self)
            return writer.finish()
        }
    }

    /// Appends the JSON text without white space.
    public func write(to text: inout [UInt8]) { text += bytes }
}

extension Object {
    /// Returns the JSON text of the object with appended members, without white space, as UTF-8. An appended member
    /// replaces a member with the same key.
    ///
    /// The object is not copied.
    public func bytes(adding more: [Member]) -> [UInt8] {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ValueWriter.capacity) { room in
            var writer = ValueWriter(room)
            writer.write(members, more)
            return writer.finish()
        }
    }
}

/// Writes values to a buffer on the stack, which is sufficient for most messages. Longer texts continue on the heap.
private struct ValueWriter {
    static let capacity = 1024

    private let room: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    /// The text that was moved from the full buffer to the heap.
    private var text: [UInt8] = []

    init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

    mutating func finish() -> [UInt8] {
        if text.isEmpty { return Array(room[..<count]) }
        empty()
        // The copy has no unused capacity: the result may be kept for a long time, and an array that grows by doubling
        // can be half empty.
        return text.withUnsafeBufferPointer { Array($0) }
    }

    private mutating func empty() {
        text.append(contentsOf: room[..<count])
        count = 0
    }

    private mutating func write(_ byte: UInt8) {
        if count == room.count { empty() }
        room[count] = byte
        count += 1
    }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        if bytes.count > room.count - count { empty() }
        guard bytes.count <= room.count else { return text.append(contentsOf: bytes) }
        room.baseAddress?.advanced(by: count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    private mutating func write(word: StaticString) {
        word.withUTF8Buffer { write($0) }
    }

    // MARK: Values

    mutating func write(_ value: Value) {
        switch value {
        case .null: write(word: "null")
        case .bool(let value): write(word: value ? "true" : "false")
        case .integer(let value): write(value)
        case .number(let value): write(value)
        case .string(let value): write(value)
        case .array(let elements):
            write(UInt8(ascii: "["))
            for index in elements.indices {
                if index > 0 { write(UInt8(ascii: ",")) }
                write(elements[index])
            }
            write(UInt8(ascii: "]"))
        case .object(let object): write(object.members, [])
        }
    }

    mutating func write(_ members: [Object.Member], _ more: [Object.Member]) {
        write(UInt8(ascii: "{"))
        var isFirst = true
        for index in members.indices where more.place(of: members[index].key) == nil {
            write(members[index].key, members[index].value, &isFirst)
        }
        for index in more.indices { write(more[index].key, more[index].value, &isFirst) }
        write(UInt8(ascii: "}"))
    }

    private mutating func write(_ key: String, _ value: Value, _ isFirst: inout Bool) {
        if !isFirst { write(UInt8(ascii: ",")) }
        isFirst = false
        write(key)
        write(UInt8(ascii: ":"))
        write(value)
    }

    private mutating func write(_ value: Int) {
        if value < 0 { write(UInt8(ascii: "-")) }
        write(digitsOf: value.magnitude)
    }

    private mutating func write(digitsOf value: UInt) {
        if value >= 10 { write(digitsOf: value / 10) }
        write(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }

    /// Writes whole numbers without a fraction: `90`, not `90.0`. A value that JSON cannot represent, such as infinity,
    /// is written as `null`.
    private mutating func write(_ value: Double) {
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return write(whole) }
        guard value.isFinite else { return write(word: "null") }
        for byte in value.description.utf8 { write(byte) }
    }

    // MARK: Texts

    /// Writes a text. Most texts need no escapes and are copied as a whole.
    ///
    /// Invisible characters are escaped, although JSON does not require this for all of them. The value is the same,
    /// and a terminal that displays the text executes no control sequence.
    private mutating func write(_ text: String) {
        write(UInt8(ascii: "\""))
        let isWritten = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard Self.isPlain(UnsafeRawBufferPointer(bytes)) else { return false }
            write(bytes)
            return true
        }
        if isWritten != true { writeEscaped(text) }
        write(UInt8(ascii: "\""))
    }

    @inline(never)
    private mutating func writeEscaped(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" || scalar.isInvisible {
                writeEscape(of: scalar)
            } else {
                for byte in String(scalar).utf8 { write(byte) }
            }
        }
    }

    /// Whether a text is ASCII without characters that need an escape. The loop tests eight bytes at a time.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 8 <= bytes.count {
            if mayNeedEscape(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return false }
            place += 8
        }
        while place < bytes.count {
            if mayNeedEscape(bytes[place]) { return false }
            place += 1
        }
        return true
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether any of eight bytes may need an escape. In each comparison, the highest bit of a byte is the result for
    /// this byte. A byte is below a bound if the subtraction of the bound borrows. A borrow can falsely mark the next
    /// higher byte, but only if the lower byte is marked correctly. So the result for all eight bytes together is
    /// right.
    private static func mayNeedEscape(_ bytes: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let belowSpace = bytes &- ones &* 0x20
        let fromDelete = bytes &+ ones
        let quotes = (bytes ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
        let backslashes = (bytes ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
        return (belowSpace | fromDelete | bytes | quotes | backslashes) & (ones &* 0x80) != 0
    }

    private mutating func writeEscape(of scalar: Unicode.Scalar) {
        write(UInt8(ascii: "\\"))
        switch scalar {
        case "\"", "\\": write(UInt8(truncatingIfNeeded: scalar.value))
        case "\n": write(UInt8(ascii: "n"))
        case "\r": write(UInt8(ascii: "r"))
        case "\t": write(UInt8(ascii: "t"))
        default:
            for (index, unit) in String(scalar).utf16.enumerated() {
                if index > 0 { write(UInt8(ascii: "\\")) }
                let digits = String(unit, radix: 16)
                write(UInt8(ascii: "u"))
                for _ in digits.utf8.count..<4 { write(UInt8(ascii: "0")) }
                for digit in digits.utf8 { write(digit) }
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control or format character, or a separator of lines or paragraphs. Such scalars are
    /// invisible and can control a terminal, break a line or change the direction of adjacent text.
    public var isInvisible: Bool {
        // ASCII has no other invisible characters.
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

extension Value: CustomStringConvertible {
    /// The JSON text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
