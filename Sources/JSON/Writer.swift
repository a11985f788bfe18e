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
    ///
    /// What cannot be seen is escaped too, though JSON does not ask for it: the value is the same, and a
    /// terminal that shows the text at a terminal shows no command to it.
    private static func write(_ value: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var value = value
        let isPlain = value.withUTF8 { bytes in
            guard !bytes.contains(where: mayNeedEscape) else { return false }
            text.append(contentsOf: bytes)
            return true
        }
        if !isPlain {
            for scalar in value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" || scalar.isInvisible {
                    writeEscape(of: scalar, to: &text)
                } else {
                    text.append(contentsOf: String(scalar).utf8)
                }
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscape(of scalar: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\\"))
        switch scalar {
        case "\"", "\\": text.append(UInt8(scalar.value))
        case "\n": text.append(UInt8(ascii: "n"))
        case "\r": text.append(UInt8(ascii: "r"))
        case "\t": text.append(UInt8(ascii: "t"))
        default:
            for (index, unit) in String(scalar).utf16.enumerated() {
                if index > 0 { text.append(UInt8(ascii: "\\")) }
                let digits = String(unit, radix: 16)
                text.append(UInt8(ascii: "u"))
                text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
                text.append(contentsOf: digits.utf8)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it cannot be seen where it stands, and can command a terminal, break a line or turn the order
    /// of what stands around it: a control or format character, or a separator of lines or paragraphs.
    public var isInvisible: Bool {
        // ASCII knows no others.
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
