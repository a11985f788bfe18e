/// Reads and writes numbers with the lowest byte first, as GATT and most devices have them.
///
/// A read trusts its caller to have checked the length.
extension [UInt8] {
    /// Reads a whole number of any width that begins at an offset.
    @inlinable
    public func integer<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self)
        -> Number
    {
        var number: Number = 0
        for index in 0..<(Number.bitWidth / 8) {
            number |= Number(truncatingIfNeeded: self[offset + index]) << Number(8 * index)
        }
        return number
    }

    /// Reads an unsigned number of two bytes.
    @inlinable
    public func uint16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    /// Reads a signed number of two bytes.
    @inlinable
    public func int16(at offset: Int) -> Int16 { Int16(bitPattern: uint16(at: offset)) }

    /// Reads an unsigned number of four bytes.
    @inlinable
    public func uint32(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
    }

    /// Reads a floating-point number of four bytes (IEEE 754).
    @inlinable
    public func float32(at offset: Int) -> Float { Float(bitPattern: uint32(at: offset)) }

    /// Reads a floating-point number of eight bytes (IEEE 754).
    @inlinable
    public func float64(at offset: Int) -> Double { Double(bitPattern: integer(at: offset)) }

    /// Adds a whole number of any width.
    @inlinable
    public mutating func put(_ value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Adds a floating-point number of four bytes (IEEE 754).
    @inlinable
    public mutating func put(_ value: Float) { put(value.bitPattern) }

    /// Adds a floating-point number of eight bytes (IEEE 754).
    @inlinable
    public mutating func put(_ value: Double) { put(value.bitPattern) }

    /// Adds a byte that is 1 for true and 0 for false.
    @inlinable
    public mutating func put(_ flag: Bool) { append(flag ? 1 : 0) }
}
