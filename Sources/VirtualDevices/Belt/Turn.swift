extension VirtualBelt {
    typealias Turn = DeviceTurn<Timer>

    /// The timers of a belt, by name.
    enum Timer: String, CaseIterable {
        case keepAlive = "keep-alive"
        case battery
        case orientation
        case feel
        case pairing
        case standby
        case calibration
        case waitSignal = "wait-signal"
        case inaccuracySignal = "inaccuracy-signal"
        case selfTest = "self-test"
        case rawData = "raw-data"
    }

    /// A write that the belt rejects, with the reason.
    struct Rejected: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }
}

/// Little-endian numbers in packets of the belt.
enum Packet {
    /// Returns the unsigned 16-bit number at `offset`. The caller has checked the length.
    static func u16(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// Returns the lower 16 bits of a number as two bytes.
    static func bytes(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    /// The four bytes of a floating-point number.
    static func bytes(float: Float) -> [UInt8] { bytes32(float.bitPattern) }

    /// The four bytes of a number.
    static func bytes32(_ number: UInt32) -> [UInt8] {
        bytes(Int(number & 0xFFFF)) + bytes(Int(number >> 16))
    }
}
