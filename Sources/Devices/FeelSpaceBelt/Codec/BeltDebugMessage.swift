import DeviceKit

/// A notification of development firmware on `FE14`. Sources: the version history of pybelt, and `FSBeltErrorLog` of
/// FSLib-iOS.
enum BeltDebugMessage: Hashable, Sendable {
    /// An error occurred; the list of codes is unknown.
    case error(UInt32)
    /// Text; a line can span several packets.
    case text(String)
    /// The self-test started. Each bit of the mask is a part of the belt that is tested.
    case selfTestStarted(mask: UInt8)
    /// The self-test finished with this number of errors.
    case selfTestFinished(errors: UInt8)
    /// The header of the error log; an error code of 0 means no error.
    case logHeader(session: UInt16, entries: UInt8, first: UInt32, last: UInt32)
    /// One entry of the error log.
    case logEntry(code: UInt32, milliseconds: UInt32, session: UInt16, more: Bool)

    /// Decodes a packet; nil if it is too short or unknown.
    init?(_ bytes: [UInt8]) {
        switch (bytes.first, bytes.count) {
        case (0xA0, 5...): self = .error(bytes.uint32(at: 1))
        case (0x01, _): self = .text(String(decoding: bytes[1...], as: UTF8.self))
        case (0x02, 3...) where bytes[1] == 1: self = .selfTestStarted(mask: bytes[2])
        case (0x02, 4...) where bytes[1] == 0: self = .selfTestFinished(errors: bytes[3])
        case (0x0B, 12...):
            self = .logHeader(
                session: bytes.uint16(at: 1), entries: bytes[3], first: bytes.uint32(at: 4),
                last: bytes.uint32(at: 8))
        case (0x0C, 12...):
            self = .logEntry(
                code: bytes.uint32(at: 1), milliseconds: bytes.uint32(at: 5), session: bytes.uint16(at: 9),
                more: bytes[11] != 0)
        default: return nil
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .error(let code):
            bytes.put(UInt8(0xA0))
            bytes.put(code)
        case .text(let text): bytes = [0x01] + Array(text.utf8)
        case .selfTestStarted(let mask): bytes = [0x02, 0x01, mask]
        case .selfTestFinished(let errors): bytes = [0x02, 0x00, 0x00, errors]
        case .logHeader(let session, let entries, let first, let last):
            bytes.put(UInt8(0x0B))
            bytes.put(session)
            bytes.put(entries)
            bytes.put(first)
            bytes.put(last)
        case .logEntry(let code, let milliseconds, let session, let more):
            bytes.put(UInt8(0x0C))
            bytes.put(code)
            bytes.put(milliseconds)
            bytes.put(session)
            bytes.put(more)
        }
        return bytes
    }
}

/// A write to `FE13`, for development firmware.
enum BeltDebugRequest: Hashable, Sendable {
    /// Test the parts of the belt whose bits are set in the mask; without a mask, test everything.
    case selfTest(mask: UInt8?)
    /// Send the error log.
    case errorLog

    /// Decodes a request; nil if it is unknown.
    init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case 0x02: self = .selfTest(mask: bytes.count > 1 ? bytes[1] : nil)
        case 0x0B: self = .errorLog
        default: return nil
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .selfTest(let mask): [0x02] + (mask.map { [$0] } ?? [])
        case .errorLog: [0x0B]
        }
    }
}
