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

    /// A write that the belt does not carry out, and why.
    struct Rejected: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }
}

/// Numbers inside packets: little-endian, as everything on the belt's air.
enum Packet {
    /// The unsigned 16-bit number that begins at `offset`; the caller has checked the length.
    static func u16(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// The two bytes of a number, of which the lower 16 bits count.
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
