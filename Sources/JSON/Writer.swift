extension Value {
    /// Writes the value without white space, as UTF-8.
    public var bytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        write(to: &text)
        // What grew by doubling may be kept for long: the unused half of a long text is given back.
        return text.count > 1024 ? text.withUnsafeBufferPointer { Array($0) } : text
    }

    /// Appends the value to a text without white space.
    public func write(to text: inout [UInt8]) {
        switch self {
        case .null: text.append(contentsOf: "null".utf8)
        case .bool(let value): text.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .integer(let value): Self.write(value, to: &text)
        case .number(let value): Self.write(value, to: &text)
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object):
            text.append(UInt8(ascii: "{"))
            for index in object.members.indices {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(object.members[index].key, to: &text)
                text.append(UInt8(ascii: ":"))
                object.members[index].value.write(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ value: Int, to text: inout [UInt8]) {
        if value < 0 { text.append(UInt8(ascii: "-")) }
        write(digitsOf: value.magnitude, to: &text)
    }

    private static func write(digitsOf value: UInt, to text: inout [UInt8]) {
        if value >= 10 { write(digitsOf: value / 10, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }

    /// Writes whole numbers without a fraction: `90`, not `90.0`. A value that JSON cannot say is null.
    private static func write(_ value: Double, to text: inout [UInt8]) {
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return write(whole, to: &text) }
        text.append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
    }

    /// Writes what needs no escape as a whole, which most texts are.
    private static func write(_ value: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { bytes in
            guard bytes.contains(where: needsEscape) else { return text.append(contentsOf: bytes) }
            for byte in bytes {
                if needsEscape(byte) { writeEscape(of: byte, to: &text) } else { text.append(byte) }
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscape(of byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
        case 0x0A: text.append(UInt8(ascii: "n"))
        case 0x0D: text.append(UInt8(ascii: "r"))
        case 0x09: text.append(UInt8(ascii: "t"))
        default:
            text.append(contentsOf: "u00".utf8)
            text.append(contentsOf: (byte < 16 ? "0" : "").utf8)
            text.append(contentsOf: String(byte, radix: 16).utf8)
        }
    }
}

extension Value: CustomStringConvertible {
    /// The JSON text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
