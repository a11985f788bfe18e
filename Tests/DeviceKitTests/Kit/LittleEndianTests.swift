import DeviceKit
import Testing

@Suite("Little-endian numbers")
struct LittleEndianTests {
    private static let bytes: [UInt8] = [0xFF, 0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88]

    @Test("Each width is read at its offset")
    func reading() {
        let bytes = Self.bytes
        #expect(bytes.integer(at: 2) as UInt8 == 0x82)
        #expect(bytes.integer(at: 2) as Int8 == -126)
        #expect(bytes.uint16(at: 1) == 0x8201 && bytes.integer(at: 1) as UInt16 == 0x8201)
        #expect(bytes.int16(at: 1) == -32_255 && bytes.integer(at: 1) as Int16 == -32_255)
        #expect(bytes.uint32(at: 1) == 0x8403_8201 && bytes.integer(at: 1) as UInt32 == 0x8403_8201)
        #expect(bytes.integer(at: 1) as Int32 == Int32(bitPattern: 0x8403_8201))
        #expect(bytes.integer(at: 1) as UInt64 == 0x8807_8605_8403_8201)
        #expect(bytes.integer(at: 1) as Int64 == Int64(bitPattern: 0x8807_8605_8403_8201))
    }

    @Test("Written numbers are read back", arguments: [0, 1, -1, 127, -32_768, 65_535, Int.min, .max])
    func roundTrip(_ number: Int) {
        var bytes: [UInt8] = []
        bytes.put(UInt8(truncatingIfNeeded: number))
        bytes.put(Int16(truncatingIfNeeded: number))
        bytes.put(UInt32(truncatingIfNeeded: number))
        bytes.put(Int64(number))
        bytes.put(Float(number))
        bytes.put(Double(number))
        bytes.put(number > 0)
        #expect(bytes.count == 28)
        #expect(bytes[0] == UInt8(truncatingIfNeeded: number))
        #expect(bytes.int16(at: 1) == Int16(truncatingIfNeeded: number))
        #expect(bytes.uint32(at: 3) == UInt32(truncatingIfNeeded: number))
        #expect(bytes.integer(at: 7) as Int64 == Int64(number))
        #expect(bytes.float32(at: 15) == Float(number) && bytes.float64(at: 19) == Double(number))
        #expect(bytes[27] == (number > 0 ? 1 : 0))
    }
}
