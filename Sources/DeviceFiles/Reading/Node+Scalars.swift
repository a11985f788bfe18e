import Bluetooth
import DeviceKit
import JSON
import YAML

extension Node {
    /// Returns the text of a scalar; nil after a problem was reported.
    func text(_ length: ClosedRange<Int> = 1...512, allowed: String? = nil) -> String? {
        let allowed = allowed ?? "text of \(length.lowerBound)...\(length.upperBound) bytes"
        guard case .scalar(let text, _) = tree.content,
            !tree.isNull || length.contains(0) && tree.style != .plain,
            length.contains(text.utf8.count)
        else {
            mismatch(allowed: allowed)
            return nil
        }
        warn(of: text)
        return text
    }

    private func warn(of text: String) {
        if tree.style == .plain, Scalar.changes(text) {
            findings.warn(
                place, path, "other YAML parsers interpret \(text) differently; put it in double quotes")
        }
        if tree.style != .doubleQuoted, text.utf8.contains(UInt8(ascii: "\\")) {
            findings.warn(
                place, path,
                "here a backslash is a literal character; in double quotes it starts an escape sequence")
        }
    }

    /// An identifier: lowercase letters, digits and `_`.
    func name(_ what: String) -> String? {
        guard let text = text(1...64, allowed: what), Self.isName(text) else {
            if scalar != nil {
                mismatch(allowed: "\(what): a lowercase letter, then lowercase letters, digits and _")
            }
            return nil
        }
        return text
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 64 else {
            return false
        }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    /// One of the words; nil after a problem was reported.
    func choice(_ words: [String]) -> String? {
        guard let text = scalar, words.contains(text) else {
            let near = scalar.flatMap { Nearest.word(to: $0, among: words) }
            complain(
                "found \(found); \(near.map { "did you mean \($0)? Allowed" } ?? "allowed"): \(words.joined(separator: " "))"
            )
            return nil
        }
        return text
    }

    /// One of the raw values of an enumeration; nil after a problem was reported.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) -> Choice? {
        choice(Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
    }

    /// A Boolean; nil after a problem was reported.
    func flag() -> Bool? {
        switch scalar {
        case "true": return true
        case "false": return false
        default:
            mismatch(allowed: "true or false")
            return nil
        }
    }

    /// A whole number, decimal or `0x…`; nil after a problem was reported.
    func integer(_ range: ClosedRange<Int>) -> Int? {
        guard let number = scalar.flatMap(Scalar.integer).flatMap({ Int(exactly: $0) }),
            range.contains(number)
        else {
            mismatch(allowed: "a whole number \(range.lowerBound)...\(range.upperBound)")
            return nil
        }
        return number
    }

    /// A raw value of a packet's number, decimal or `0x…`; nil after a problem was reported.
    func raw(_ range: ClosedRange<Int128>) -> Int128? {
        guard let number = scalar.flatMap(Scalar.integer), range.contains(number) else {
            mismatch(allowed: "a whole number \(range.lowerBound)...\(range.upperBound)")
            return nil
        }
        return number
    }

    /// A number; nil after a problem was reported.
    func decimal() -> Decimal? {
        guard
            let number = scalar.flatMap({ Decimal($0) })
                ?? scalar.flatMap(Scalar.integer).map({ Decimal($0) })
        else {
            mismatch(allowed: "a number, such as 0.1")
            return nil
        }
        return number
    }

    /// A duration in milliseconds; nil after a problem was reported.
    func milliseconds(_ range: ClosedRange<Int>) -> Duration? { integer(range).map { .milliseconds($0) } }

    /// Bytes as hexadecimal digits; nil after a problem was reported.
    func hex(_ count: ClosedRange<Int> = 1...PacketFormat.limit) -> [UInt8]? {
        guard let bytes = scalar.flatMap({ Hex.bytes($0) }), count.contains(bytes.count) else {
            mismatch(
                allowed: "\(count.lowerBound)...\(count.upperBound) bytes as pairs of hexadecimal digits")
            return nil
        }
        return bytes
    }

    /// A UUID of 4, 8 or 32 digits; nil after a problem was reported.
    func uuid() -> UUID? {
        guard let text = scalar, let uuid = UUID(text) ?? Self.dense(text) else {
            mismatch(allowed: "a UUID of 4, 8 or 32 hexadecimal digits, such as 180f")
            return nil
        }
        return uuid
    }

    /// Parses a UUID of 32 digits without hyphens.
    private static func dense(_ text: String) -> UUID? {
        guard text.utf8.count == 32, let bytes = Hex.bytes(text), bytes.count == 16 else { return nil }
        func half(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        return UUID(high: half(0..<8), low: half(8..<16))
    }

    /// Returns the value as JSON. A scalar without quotes is parsed as JSON if possible; otherwise it is text.
    func json() -> JSON.Value { Scalar.json(tree) }
}

/// Converts scalars of a YAML text to values.
enum Scalar {
    /// Parses a whole number, decimal or `0x…`; returns nil for any other text.
    static func integer(_ text: String) -> Int128? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHex = digits.hasPrefix("0x")
        let body = isHex ? digits.dropFirst(2) : digits
        guard !body.isEmpty, body.utf8.allSatisfy({ Hex.digit($0).map { isHex || $0 < 10 } ?? false }),
            body.utf8.count <= 20, let number = Int128(body, radix: isHex ? 16 : 10)
        else { return nil }
        return isNegative ? -number : number
    }

    /// Converts a tree to JSON. A scalar without quotes is parsed as JSON if possible; any other scalar is text.
    static func json(_ tree: YAMLTree) -> JSON.Value {
        switch tree.content {
        case .sequence(let elements): .array(elements.map(json))
        case .mapping(let members): .object(JSON.Object(members.map { ($0.key, json($0.value)) }))
        case .scalar(let text, isPlain: true):
            (try? JSON.Value(parsing: text.utf8)) ?? (text.isEmpty || text == "~" ? .null : .string(text))
        case .scalar(let text, isPlain: false): .string(text)
        }
    }

    /// Whether YAML 1.1 or 1.2 interprets an unquoted word as something other than its text, so that characters would
    /// be lost.
    static func changes(_ text: String) -> Bool {
        let lower = text.lowercased()
        if ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ".nan", ".inf", "-.inf"]
            .contains(lower)
        {
            return true
        }
        guard let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
            (0x30...0x39).contains(first) || first == UInt8(ascii: ".")
        else { return false }
        // A number that is written as the same text loses no characters.
        if let number = Int(text) { return String(number) != text }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-._eE:".utf8.contains($0) }
        let isBased = ["0x", "0o", "0b"].contains { lower.hasPrefix($0) }
        return isBased || isNumber && text.utf8.contains { (0x30...0x39).contains($0) }
    }
}
