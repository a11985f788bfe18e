/// Protobuf's encoding of numbers as bytes with seven bits each, the lowest bits first (varint).
enum Varint {
    static func bytes(_ value: UInt64) -> [UInt8] {
        var (bytes, rest): ([UInt8], UInt64) = ([], value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// Removes a number from the start of `bytes`; nil if it is incomplete.
    ///
    /// - Throws: ``MessageError`` if the number has more than 64 bits.
    static func take(from bytes: inout ArraySlice<UInt8>) throws(MessageError) -> UInt64? {
        var value: UInt64 = 0
        for (count, byte) in bytes.enumerated() {
            guard count < 9 || byte <= 1 else { throw MessageError("a number has more than 64 bits") }
            value |= UInt64(byte & 0x7F) << (7 * UInt64(count))
            if byte < 0x80 {
                bytes = bytes.dropFirst(count + 1)
                return value
            }
        }
        return nil
    }
}
