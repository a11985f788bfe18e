/// Reads and writes little-endian numbers, the byte order of GATT and most devices.
///
/// The caller must check the length before a read.
extension [UInt8] {
    /// Reads an integer of any width at an offset.
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

    /// Reads an unsigned 16-bit integer.
    @inlinable
    public func uint16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    /// Reads a signed 16-bit integer.
    @inlinable
    public func int16(at offset: Int) -> Int16 { Int16(bitPattern: uint16(at: offset)) }

    /// Reads an unsigned 32-bit integer.
    @inlinable
    public func uint32(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
    }

    /// Reads a 32-bit floating-point number (IEEE 754).
    @inlinable
    public func float32(at offset: Int) -> Float { Float(bitPattern: uint32(at: offset)) }

    /// Reads a 64-bit floating-point number (IEEE 754).
    @inlinable
    public func float64(at offset: Int) -> Double { Double(bitPattern: integer(at: offset)) }

    /// Appends an integer of any width.
    @inlinable
    public mutating func put(_ value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Appends a 32-bit floating-point number (IEEE 754).
    @inlinable
    public mutating func put(_ value: Float) { put(value.bitPattern) }

    /// Appends a 64-bit floating-point number (IEEE 754).
    @inlinable
    public mutating func put(_ value: Double) { put(value.bitPattern) }

    /// Appends a byte: 1 for true, 0 for false.
    @inlinable
    public mutating func put(_ flag: Bool) { append(flag ? 1 : 0) }
}
