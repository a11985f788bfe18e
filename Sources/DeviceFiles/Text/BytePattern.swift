import Bluetooth

/// A sequence of bytes with wildcards: `02..01`.
package struct BytePattern: Hashable, Sendable, CustomStringConvertible {
    /// The bytes; nil for a wildcard.
    package let bytes: [UInt8?]

    package init(_ bytes: [UInt8?]) { self.bytes = bytes }

    /// Parses pairs of hexadecimal digits and `..` for any byte, with optional spaces between them; nil for any other
    /// text.
    package init?(_ text: String) {
        var bytes: [UInt8?] = []
        var digits: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                guard digits.isEmpty else { return nil }
                continue
            }
            digits.append(byte)
            guard digits.count == 2 else { continue }
            if digits == Array("..".utf8) {
                bytes.append(nil)
            } else {
                guard let high = Self.digit(digits[0]), let low = Self.digit(digits[1]) else { return nil }
                bytes.append(high << 4 | low)
            }
            digits = []
        }
        guard digits.isEmpty, !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// Two hexadecimal digits for each byte, or `..` for a wildcard.
    package var description: String { bytes.map { $0.map { Hex.string([$0]) } ?? ".." }.joined() }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// Whether bytes start with the pattern.
    package func isPrefix(of other: some Collection<UInt8>) -> Bool {
        other.count >= bytes.count && zip(bytes, other).allSatisfy { $0 == nil || $0 == $1 }
    }

    /// Whether the pattern matches anywhere in bytes.
    package func isContained(in other: [UInt8]) -> Bool {
        guard other.count >= bytes.count else { return false }
        return (0...(other.count - bytes.count)).contains { isPrefix(of: other[$0...]) }
    }
}
