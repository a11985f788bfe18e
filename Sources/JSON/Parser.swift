extension Value {
    /// Parses one JSON text (RFC 8259) strictly: UTF-8, no trailing text, no duplicate keys, no number that exceeds a
    /// double.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - maximumDepth: The maximum nesting of arrays and objects.
    ///   - allowsTrailingCommas: Whether a comma may follow the last element of an array or object.
    /// - Throws: ``JSONError`` with the path and the byte offset.
    public init(
        parsing bytes: some Collection<UInt8>, maximumDepth: Int = 32, allowsTrailingCommas: Bool = false
    ) throws(JSONError) {
        var parser = Parser(
            bytes: Array(bytes), maximumDepth: maximumDepth, allowsTrailingCommas: allowsTrailingCommas)
        self = try parser.parseDocument()
    }
}

/// Parses one JSON text in a single pass.
struct Parser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let allowsTrailingCommas: Bool
    private var position = 0
    private var path: [PathElement] = []

    private enum PathElement {
        case key(String)
        case index(Int)
    }

    init(bytes: [UInt8], maximumDepth: Int, allowsTrailingCommas: Bool) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.allowsTrailingCommas = allowsTrailingCommas
    }

    mutating func parseDocument() throws(JSONError) -> Value {
        let value = try parseValue()
        skipSpace()
        guard position == bytes.count else { throw error("unexpected text after the end of the value") }
        return value
    }

    private mutating func parseValue() throws(JSONError) -> Value {
        skipSpace()
        guard let byte = peek else { throw error("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw error("expected a value")
        }
    }

    private mutating func parseObject() throws(JSONError) -> Value {
        try enter()
        var object = Object()
        // A linear search for each key of an object with thousands of members would block the caller for seconds.
        var keys: Set<String>?
        if try !skipIfClosed(by: UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard peek == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
                let key = try parseString()
                path.append(.key(key))
                if keys == nil, object.count == 16 { keys = Set(object.keys) }
                let isNew = keys?.insert(key).inserted ?? (object[key] == nil)
                guard isNew else { throw error("the key appears twice") }
                try expect(UInt8(ascii: ":"))
                object.append(new: key, try parseValue())
                path.removeLast()
            } while try hasNext(orClosedBy: UInt8(ascii: "}"))
        }
        return .object(object)
    }

    private mutating func parseArray() throws(JSONError) -> Value {
        try enter()
        var elements: [Value] = []
        if try !skipIfClosed(by: UInt8(ascii: "]")) {
            repeat {
                path.append(.index(elements.count))
                elements.append(try parseValue())
                path.removeLast()
            } while try hasNext(orClosedBy: UInt8(ascii: "]"))
        }
        return .array(elements)
    }

    private mutating func enter() throws(JSONError) {
        guard path.count < maximumDepth else { throw error("nested deeper than \(maximumDepth) levels") }
        position += 1
    }

    private mutating func skipIfClosed(by close: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard peek == close else { return false }
        position += 1
        return true
    }

    private mutating func hasNext(orClosedBy close: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        if peek == UInt8(ascii: ",") {
            position += 1
            guard allowsTrailingCommas else { return true }
            return try !skipIfClosed(by: close)
        }
        guard peek == close else { throw error("expected , or \(Character(UnicodeScalar(close)))") }
        position += 1
        return false
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        skipSpace()
        guard peek == byte else { throw error("expected \(Character(UnicodeScalar(byte)))") }
        position += 1
    }

    private mutating func parseWord(_ word: StaticString, as value: Value) throws(JSONError) -> Value {
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard matches else { throw error("expected a value") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func parseNumber() throws(JSONError) -> Value {
        let start = position
        var isWhole = true
        if peek == UInt8(ascii: "-") { position += 1 }
        let leadingZero = peek == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0, !leadingZero || digits == 1 else { throw error("malformed number") }
        if peek == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            guard skipDigits() > 0 else { throw error("malformed number") }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw error("malformed number") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw error("a number out of range") }
        return .number(value)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }

    private mutating func parseString() throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("a string that is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try parseEscape(into: &text)
            case 0..<0x20: throw error("a control character in a string")
            default: text.append(byte)
            }
        }
        throw error("unterminated string")
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = peek else { throw error("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let first = try parseHexQuad()
            guard let scalar = try scalar(after: first) else { throw error("an incomplete surrogate pair") }
            text.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw error("unknown escape in a string")
        }
    }

    private mutating func scalar(after first: UInt32) throws(JSONError) -> UnicodeScalar? {
        guard (0xD800..<0xDC00).contains(first) else { return UnicodeScalar(first) }
        guard bytes[position...].starts(with: Array("\\u".utf8)) else { return nil }
        position += 2
        let second = try parseHexQuad()
        guard (0xDC00..<0xE000).contains(second) else { return nil }
        return UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func parseHexQuad() throws(JSONError) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw error("expected four hexadecimal digits") }
        position += 4
        return number
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ reason: String) -> JSONError {
        var text = ""
        for element in path {
            switch element {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return JSONError(reason: reason, path: text, offset: position)
    }
}
