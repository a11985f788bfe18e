package enum Checksum: Hashable, Sendable {
    /// The low byte of the sum of all bytes.
    case sum8
    /// The bitwise exclusive or (XOR) of all bytes.
    case xor8
    /// A cyclic redundancy check.
    case crc(CRC)

    /// The parameters of a cyclic redundancy check, with the names that CRC catalogs use.
    package struct CRC: Hashable, Sendable {
        /// The number of bits: 8, 16 or 32.
        package var width: Int
        /// The polynomial without its highest bit.
        package var polynomial: UInt32
        /// The initial value of the register.
        package var initial: UInt32
        /// Whether input and output bits are reflected (least significant bit first).
        package var isReflected: Bool
        /// The value that is combined with the result by bitwise exclusive or (XOR).
        package var final: UInt32

        package init(
            width: Int, polynomial: UInt32, initial: UInt32 = 0, isReflected: Bool = false, final: UInt32 = 0
        ) {
            self.width = width
            self.polynomial = polynomial
            self.initial = initial
            self.isReflected = isReflected
            self.final = final
        }
    }

    package static let named: [(name: String, checksum: Checksum)] = [
        ("sum8", .sum8), ("xor8", .xor8), ("crc8_smbus", .crc(CRC(width: 8, polynomial: 0x07))),
        ("crc16_ibm3740", .crc(CRC(width: 16, polynomial: 0x1021, initial: 0xFFFF))),
        ("crc16_xmodem", .crc(CRC(width: 16, polynomial: 0x1021))),
        (
            "crc16_modbus",
            .crc(CRC(width: 16, polynomial: 0x8005, initial: 0xFFFF, isReflected: true))
        ),
    ]

    /// The number of bytes that the checksum occupies.
    package var width: Int {
        if case .crc(let crc) = self { crc.width / 8 } else { 1 }
    }

    /// Returns the checksum of the bytes.
    package func value(of bytes: some Sequence<UInt8>) -> UInt64 {
        switch self {
        case .sum8: return UInt64(bytes.reduce(0 as UInt8) { $0 &+ $1 })
        case .xor8: return UInt64(bytes.reduce(0 as UInt8) { $0 ^ $1 })
        case .crc(let crc): return UInt64(crc.value(of: bytes))
        }
    }
}

extension Checksum.CRC {
    fileprivate func value(of bytes: some Sequence<UInt8>) -> UInt32 {
        let mask: UInt32 = width == 32 ? .max : (1 << width) - 1
        var register = isReflected ? Self.reversed(initial, width) : initial & mask
        let polynomial = isReflected ? Self.reversed(polynomial, width) : polynomial
        for byte in bytes {
            if isReflected {
                register ^= UInt32(byte)
                for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ polynomial : register >> 1 }
            } else {
                register ^= UInt32(byte) << (width - 8)
                for _ in 0..<8 {
                    let isSet = register & (1 << (width - 1)) != 0
                    register = (isSet ? register << 1 ^ polynomial : register << 1) & mask
                }
            }
        }
        return (register ^ final) & mask
    }

    private static func reversed(_ number: UInt32, _ width: Int) -> UInt32 {
        var (rest, result) = (number, 0 as UInt32)
        for _ in 0..<width {
            result = result << 1 | rest & 1
            rest >>= 1
        }
        return result
    }
}
