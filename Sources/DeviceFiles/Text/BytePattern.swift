import Bluetooth

/// A sequence of bytes with wildcards: `02..01`, `4.`.
package struct BytePattern: Hashable, Sendable, CustomStringConvertible {
    /// One byte and the bits of it that must match.
    package struct Byte: Hashable, Sendable {
        package var value: UInt8
        package var mask: UInt8
    }

    package let bytes: [Byte]

    /// Creates a pattern without wildcards.
    package init(_ bytes: [UInt8]) { self.bytes = bytes.map { Byte(value: $0, mask: 0xFF) } }

    /// Parses pairs of hexadecimal digits, with `.` for any digit and optional spaces between the pairs; nil for any
    /// other text.
    package init?(_ text: String) {
        var bytes: [Byte] = []
        var digits: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                guard digits.isEmpty else { return nil }
                continue
            }
            digits.append(byte)
            guard digits.count == 2 else { continue }
            var pair = Byte(value: 0, mask: 0)
            for digit in digits {
                let isWild = digit == UInt8(ascii: ".")
                guard let value = isWild ? 0 : Hex.digit(digit) else { return nil }
                pair.value = pair.value << 4 | value
                pair.mask = pair.mask << 4 | (isWild ? 0 : 0xF)
            }
            bytes.append(pair)
            digits = []
        }
        guard digits.isEmpty, !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// Whether every byte is fixed.
    package var isFixed: Bool { bytes.allSatisfy { $0.mask == 0xFF } }

    /// Bytes that match the pattern. A digit that may have any value is 0.
    package var example: [UInt8] { bytes.map(\.value) }

    /// Two hexadecimal digits for each byte, with `.` for any digit.
    package var description: String {
        bytes.map { byte in
            zip(Hex.string([byte.value]), [byte.mask >> 4, byte.mask & 0xF]).map {
                $1 == 0 ? "." : String($0)
            }.joined()
        }.joined()
    }

    /// Whether these bytes start with bytes that the pattern matches.
    package func isPrefix(of other: some Collection<UInt8>) -> Bool {
        other.count >= bytes.count && zip(bytes, other).allSatisfy { $1 & $0.mask == $0.value }
    }

    /// Whether the pattern matches at any position in these bytes.
    package func isContained(in other: [UInt8]) -> Bool {
        guard other.count >= bytes.count else { return false }
        return (0...(other.count - bytes.count)).contains { isPrefix(of: other[$0...]) }
    }
}
