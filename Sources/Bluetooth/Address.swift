/// The address of a Bluetooth device: 48 bits, written `AA:BB:CC:DD:EE:FF`.
public struct Address: Hashable, Sendable {
    /// The address as a 48-bit number, with the first written byte as the most significant.
    public let number: UInt64

    /// Creates an address from its number; the upper 16 bits are dropped.
    public init(number: UInt64) { self.number = number & 0xFFFF_FFFF_FFFF }

    /// Parses six pairs of hexadecimal digits with `:` between them, in upper or lower case; nil for any other text.
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

    /// The last three bytes in lower-case hex, as in default device names: `a1b2c3`.
    public var suffix: String { Hex.string(number & 0xFF_FFFF, digits: 6) }

    /// The whole address in lower-case hex, as in topics: `c0ffeea1b2c3`.
    public var digits: String { Hex.string(number, digits: 12) }

    /// Parses the form of ``digits``; nil for any other text.
    public init?(digits text: some StringProtocol) {
        guard text.utf8.count == 12, text.lowercased() == text, let bytes = Hex.bytes(text) else {
            return nil
        }
        self.init(number: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Address: CustomStringConvertible, LosslessStringConvertible {
    /// The form of BlueZ and its tools: upper case, with `:` between bytes.
    public var description: String {
        let digits = Hex.string(number, digits: 12).uppercased()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, index.isMultiple(of: 2) { text.append(":") }
            text.append(digit)
        }
        return text
    }

    /// Parses the form of ``description``.
    public init?(_ description: String) { self.init(description[...]) }
}

extension Address: Comparable {
    /// Orders addresses by their 48-bit number.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension Address: ExpressibleByStringLiteral {
    /// Creates an address from a literal; an invalid literal stops the process.
    public init(stringLiteral value: String) {
        guard let address = Self(value[...]) else { preconditionFailure("not an address: \(value)") }
        self = address
    }
}
