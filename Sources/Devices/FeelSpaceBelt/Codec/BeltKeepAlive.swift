import DeviceKit

/// The belt's sign of life on `FE02`, which carries its mode.
struct BeltKeepAlive: Hashable, Sendable {
    /// What the client writes back on every one (`FSCommandManager` writes the same).
    static let reply: [UInt8] = [0x00]

    /// The current mode's code; not every code is a known mode.
    var modeCode: UInt8

    /// The current mode, where it is a known one.
    var mode: BeltMode? { BeltMode(rawValue: modeCode) }

    /// Makes a sign of life.
    init(_ mode: BeltMode) { modeCode = mode.rawValue }

    /// Decodes at least 2 bytes; nil for fewer, which a client still answers.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        modeCode = bytes[1]
    }

    /// The packet; its first byte has no known meaning.
    var bytes: [UInt8] { [0x01, modeCode] }
}

/// The firmware information, read from `FE01`.
struct BeltFirmwareInformation: Hashable, Sendable {
    var version: UInt16
    /// The variant of software or hardware, where the belt tells it.
    var variant: UInt8?

    /// Makes firmware information.
    init(version: UInt16, variant: UInt8? = nil) {
        self.version = version
        self.variant = variant
    }

    /// Decodes at least 2 bytes; nil for fewer.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        version = bytes.uint16(at: 0)
        variant = bytes.count >= 3 ? bytes[2] : nil
    }

    /// The value that is read.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.put(version)
        if let variant { bytes.put(variant) }
        return bytes
    }

    /// Whether it is the firmware whose front range is wrong and that FSLib-iOS patches (version 4, variant 4).
    var needsFrontRangePatch: Bool { UInt8(truncatingIfNeeded: version) == 4 && variant == 4 }
}
