/// The encoding of a number.
package struct NumberType: Hashable, Sendable {
    /// How the bits represent a number.
    package enum Kind: Hashable, Sendable {
        /// An unsigned whole number.
        case unsigned
        /// A whole number in two's complement.
        case signed
        /// A floating-point number (IEEE 754).
        case float
        /// A decimal floating-point number of medical devices (IEEE 11073-20601): `sfloat` in two bytes, `float11073`
        /// in four bytes.
        case medical
    }

    package var kind: Kind
    package var width: Int
    /// Whether the most significant byte comes first.
    package var isBigEndian: Bool

    package init(_ kind: Kind, width: Int, isBigEndian: Bool = false) {
        self.kind = kind
        self.width = width
        self.isBigEndian = isBigEndian
    }

    /// Creates the little-endian type with a name such as `u16`; nil for an unknown name.
    package init?(_ name: String) {
        guard let type = Self.named.first(where: { $0.name == name })?.type else { return nil }
        self = type
    }

    /// All little-endian types by name.
    package static let named: [(name: String, type: NumberType)] =
        [1, 2, 3, 4, 8].map { ("u\($0 * 8)", NumberType(.unsigned, width: $0)) }
        + [1, 2, 3, 4, 8].map { ("i\($0 * 8)", NumberType(.signed, width: $0)) }
        + [4, 8].map { ("f\($0 * 8)", NumberType(.float, width: $0)) }
        + [("sfloat", NumberType(.medical, width: 2)), ("float11073", NumberType(.medical, width: 4))]

    package var name: String {
        Self.named.first { $0.type.kind == kind && $0.type.width == width }?.name ?? "u\(width * 8)"
    }

    /// Whether the type contains whole numbers only.
    package var isInteger: Bool { kind == .unsigned || kind == .signed }

    /// The range of raw values of a whole-number type.
    package var range: ClosedRange<Int128> {
        let size = Int128(1) << (width * 8)
        return kind == .signed ? -(size / 2)...(size / 2 - 1) : 0...(size - 1)
    }

    /// A mask in which all bits of this type's width are set.
    var allBits: UInt64 { UInt64.max >> (64 - width * 8) }

    /// Reads the bits at an index.
    @inline(__always)
    func bits(_ bytes: borrowing [UInt8], at start: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in 0..<width {
            let place = isBigEndian ? start + index : start + width - 1 - index
            bits = bits << 8 | UInt64(bytes[place])
        }
        return bits
    }

    func append(_ bits: UInt64, to bytes: inout [UInt8]) {
        for index in 0..<width {
            let shift = isBigEndian ? width - 1 - index : index
            bytes.append(UInt8(truncatingIfNeeded: bits >> (shift * 8)))
        }
    }

    /// Converts bits to a whole number.
    func integer(_ bits: UInt64) -> Int128 {
        guard kind == .signed else { return Int128(bits) }
        let shift = 64 - width * 8
        return Int128(Int64(truncatingIfNeeded: bits << shift) >> shift)
    }
}
