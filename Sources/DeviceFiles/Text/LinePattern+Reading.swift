package import DeviceKit
package import JSON

extension LinePattern {
    /// Reads the values of a whole line. Numbers and hexadecimal digits match as many characters as possible, words and
    /// texts as few as possible.
    ///
    /// - Throws: ``PacketMisfit`` if the line does not match.
    package func read(_ line: [UInt8]) throws(PacketMisfit) -> JSON.Object {
        var search = Search(pattern: self, line: line)
        guard search.matches(0, 0) else { throw PacketMisfit(nil, "found a line that does not match") }
        var values = JSON.Object()
        for (name, capture, range) in search.found {
            let text = String(decoding: line[range], as: UTF8.self)
            var value = capture.value(of: text)
            if let words = limits[name]?.words, let raw = value.integer {
                value = try words.value(ofBits: UInt64(bitPattern: Int64(raw)), name)
            }
            if let limits = limits[name], let number = Decimal(json: value) {
                try NumberField.check(number, limits.minimum, limits.maximum, name)
            }
            if !name.hasPrefix("_") { values[name] = value }
        }
        return values
    }

    /// Searches for the values with backtracking. Failed positions are recorded, so that the time per line is bounded.
    private struct Search {
        let pattern: LinePattern
        let line: [UInt8]
        var found: [(String, Capture, Range<Int>)] = []
        private var dead: Set<Int> = []

        init(pattern: LinePattern, line: [UInt8]) {
            self.pattern = pattern
            self.line = line
        }

        mutating func matches(_ part: Int, _ position: Int) -> Bool {
            guard part < pattern.parts.count else { return position == line.count }
            let key = part * (line.count + 1) + position
            guard !dead.contains(key) else { return false }
            switch pattern.parts[part] {
            case .literal(let bytes):
                if line[position...].starts(with: bytes), matches(part + 1, position + bytes.count) {
                    return true
                }
            case .capture(let name, let capture):
                var longest = position
                while longest < line.count, longest - position < capture.longest,
                    capture.mayHold(line[longest])
                {
                    longest += 1
                }
                for step in 0...(longest - position) {
                    let end = capture.isLong ? longest - step : position + step
                    guard capture.isValue(line[position..<end]) else { continue }
                    found.append((name, capture, position..<end))
                    if matches(part + 1, end) { return true }
                    found.removeLast()
                }
            }
            dead.insert(key)
            return false
        }
    }
}

extension LinePattern.Capture {
    /// Whether the longest possible value is tried first: a number must not end before its last digit, because it would
    /// be a different number.
    fileprivate var isLong: Bool {
        switch self {
        case .integer, .number, .hex: true
        case .word, .text: false
        }
    }

    /// Whether a byte may occur in a value.
    fileprivate func mayHold(_ byte: UInt8) -> Bool {
        switch self {
        case .integer: (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        case .number: (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
        case .word: byte > 0x20
        case .text: true
        case .hex: Character(UnicodeScalar(byte)).isHexDigit && byte < 0x80
        }
    }

    /// The maximum number of bytes of a value.
    fileprivate var longest: Int {
        switch self {
        case .integer: 20
        case .number: 40
        case .word, .text, .hex: CharacteristicEntry.Lines.limit
        }
    }

    /// Whether bytes are a complete value.
    fileprivate func isValue(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .integer: !bytes.isEmpty && Int(String(decoding: bytes, as: UTF8.self)) != nil
        case .number: !bytes.isEmpty && Self.number(bytes) != nil
        case .word: !bytes.isEmpty
        case .text: true
        case .hex: !bytes.isEmpty && bytes.count.isMultiple(of: 2)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let last = bytes.last, (0x30...0x39).contains(last) else { return nil }
        guard let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }

    fileprivate func value(of text: String) -> JSON.Value {
        switch self {
        case .integer: return Int(text).map { .integer($0) } ?? .null
        case .number:
            if let decimal = Decimal(text) { return decimal.json }
            return Double(text).map { .number($0) } ?? .null
        case .word, .text: return .string(text)
        case .hex: return .string(text.lowercased())
        }
    }

    /// The type of the published value.
    package func fieldType(_ limits: LinePattern.Limits?) -> FieldType {
        if let words = limits?.words { return words.fieldType() }
        switch self {
        case .integer:
            let low = limits?.minimum?.whole.map { Int(clamping: $0) } ?? .min
            let high = limits?.maximum?.whole.map { Int(clamping: $0) } ?? .max
            return .integer(low...max(low, high))
        case .number:
            let low = limits?.minimum?.double ?? -.greatestFiniteMagnitude
            let high = limits?.maximum?.double ?? .greatestFiniteMagnitude
            return .number(low...max(low, high))
        case .word, .text, .hex: return .text(0...(3 * CharacteristicEntry.Lines.limit))
        }
    }
}
