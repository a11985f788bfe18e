import DeviceKit

/// The keep-alive notification on `FE02`, which contains the belt's mode.
struct BeltKeepAlive: Hashable, Sendable {
    /// The write with which a client answers every keep-alive (as in `FSCommandManager`).
    static let reply: [UInt8] = [0x00]

    /// The code of the current mode, known or unknown.
    var modeCode: UInt8

    /// The current mode; nil for an unknown code.
    var mode: BeltMode? { BeltMode(rawValue: modeCode) }

    init(_ mode: BeltMode) { modeCode = mode.rawValue }

    /// Decodes at least 2 bytes; nil for fewer bytes. A client must also answer a keep-alive that cannot be decoded.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        modeCode = bytes[1]
    }

    /// The packet; the meaning of its first byte is unknown.
    var bytes: [UInt8] { [0x01, modeCode] }
}

/// The firmware information, read from `FE01`.
struct BeltFirmwareInformation: Hashable, Sendable {
    var version: UInt16
    /// The variant of software or hardware, if the belt reports it.
    var variant: UInt8?

    init(version: UInt16, variant: UInt8? = nil) {
        self.version = version
        self.variant = variant
    }

    /// Decodes at least 2 bytes; nil for fewer bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        version = bytes.uint16(at: 0)
        variant = bytes.count >= 3 ? bytes[2] : nil
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.put(version)
        if let variant { bytes.put(variant) }
        return bytes
    }

    /// Whether the belt has the firmware with a wrong front range, which FSLib-iOS patches (version 4, variant 4).
    var needsFrontRangePatch: Bool { UInt8(truncatingIfNeeded: version) == 4 && variant == 4 }
}
