/// A UUID of a GATT attribute type: 128 bits, with a 16-bit short form for UUIDs of the Bluetooth SIG.
///
/// Equality and hashing use all 128 bits, so `0xFE51` and its long form are equal.
public struct UUID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// The lower half of every UUID on the Bluetooth SIG's base: `xxxxxxxx-0000-1000-8000-00805F9B34FB`.
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB
    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000

    /// Creates a UUID from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Expands a 16-bit UUID with the Bluetooth base UUID.
    public init(_ short: UInt16) {
        self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
    }

    /// Parses the 36-character form in upper or lower case, or four or eight hexadecimal digits; nil for any other
    /// text.
    public init?(_ text: some StringProtocol) {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for (index, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "-") {
                guard [8, 13, 18, 23].contains(index) else { return nil }
                continue
            }
            guard let digit = Hex.digit(byte) else { return nil }
            digits.append(digit)
        }
        func number(_ range: Range<Int>) -> UInt64 { digits[range].reduce(0) { $0 << 4 | UInt64($1) } }
        switch (digits.count, text.utf8.count) {
        case (32, 36): self.init(high: number(0..<16), low: number(16..<32))
        case (8, 8): self.init(high: number(0..<8) << 32 | Self.baseHigh, low: Self.baseLow)
        case (4, 4): self.init(UInt16(number(0..<4)))
        default: return nil
        }
    }

    /// The 16-bit form; nil if the UUID has none.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh, high >> 48 == 0 else { return nil }
        return UInt16(truncatingIfNeeded: high >> 32)
    }
}

extension UUID: CustomStringConvertible, LosslessStringConvertible {
    /// The full form in lower case, as in BlueZ.
    public var description: String {
        let digits = Hex.string(high, digits: 16) + Hex.string(low, digits: 16)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// Parses the form of ``description``.
    public init?(_ description: String) { self.init(description[...]) }
}

extension UUID: ExpressibleByIntegerLiteral {
    /// Creates a UUID from a 16-bit literal: `0xFE51`.
    public init(integerLiteral value: UInt16) { self.init(value) }
}

extension UUID: ExpressibleByStringLiteral {
    /// Creates a UUID from a literal; an invalid literal stops the process.
    public init(stringLiteral value: String) {
        guard let uuid = Self(value[...]) else { preconditionFailure("not a UUID: \(value)") }
        self = uuid
    }
}

extension UUID: Comparable {
    /// Orders UUIDs by their 128-bit number.
    public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
