/// Reads and writes the TAP's integers: little-endian, as every multi-byte field of its packets.
///
/// The caller has checked the length.
extension [UInt8] {
    func uint16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }
    func int16(at offset: Int) -> Int16 { Int16(bitPattern: uint16(at: offset)) }
    func uint32(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
    }

    mutating func put(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }
    mutating func put(_ value: Int16) { put(UInt16(bitPattern: value)) }
    mutating func put(_ value: UInt32) {
        put(UInt16(truncatingIfNeeded: value))
        put(UInt16(truncatingIfNeeded: value >> 16))
    }
}
