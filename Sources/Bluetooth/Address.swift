/// Identifies a Bluetooth device: a 48-bit address, written `AA:BB:CC:DD:EE:FF`.
public struct Address: Hashable, Sendable {
    /// The address as a number, the first written byte most significant; 48 bits.
    public let number: UInt64

    /// Makes an address of its number; the upper 16 bits are dropped.
    public init(number: UInt64) { self.number = number & 0xFFFF_FFFF_FFFF }

    /// Parses six pairs of digits with `:` between them, in any case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        var number: UInt64 = 0
        for part in parts {
            guard part.utf8.count == 2, let byte = Hex.bytes(part)?.first else { return nil }
            number = number << 8 | UInt64(byte)
        }
        self.init(number: number)
    }

    /// The last three bytes in lower-case hex, as default device names carry them: `a1b2c3`.
    public var suffix: String { Hex.string(number & 0xFF_FFFF, digits: 6) }

    /// The whole address in lower-case hex, as topics carry it: `c0ffeea1b2c3`.
    public var digits: String { Hex.string(number, digits: 12) }

    /// Parses what ``digits`` writes; nil for anything else.
    public init?(digits text: some StringProtocol) {
        guard text.utf8.count == 12, text.lowercased() == text, let bytes = Hex.bytes(text) else {
            return nil
        }
        self.init(number: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Address: CustomStringConvertible, LosslessStringConvertible {
    /// The form that BlueZ and its tools write: upper case, `:` between bytes.
    public var description: String {
        let digits = Hex.string(number, digits: 12).uppercased()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, index.isMultiple(of: 2) { text.append(":") }
            text.append(digit)
        }
        return text
    }

    /// Parses what ``description`` writes.
    public init?(_ description: String) { self.init(description[...]) }
}

extension Address: Comparable {
    /// Orders by the 48-bit number.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension Address: ExpressibleByStringLiteral {
    /// Lets an address stand as a literal; a literal that is not one is a mistake of the program.
    public init(stringLiteral value: String) {
        guard let address = Self(value[...]) else { preconditionFailure("not an address: \(value)") }
        self = address
    }
}
