/// Collects raw messages for one notification.
struct RawFrame {
    enum Kind: Sendable {
        case motion
        case fingers

        /// The length of a message in bytes.
        var length: Int { self == .motion ? 16 : 34 }
        /// The bit of the header that encodes the kind.
        var bit: UInt32 { self == .motion ? 0 : 0x8000_0000 }
    }

    private(set) var bytes: [UInt8] = []
    private var last: Kind?
    private let room: Int

    /// Creates a frame of at most `room` bytes.
    init(room: Int) {
        self.room = room
        bytes.reserveCapacity(room)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether the frame has room for another message of this kind.
    func hasRoom(for kind: Kind) -> Bool { bytes.count + kind.length <= room }

    /// Whether the last message has a different kind.
    func holdsOther(than kind: Kind) -> Bool { last.map { $0 != kind } ?? false }

    /// Starts a message with its header. The samples follow.
    ///
    /// - Parameter milliseconds: The device's clock, of which the lower 31 bits are used. A header of zero is avoided,
    ///   because it marks the end of the frame.
    mutating func begin(_ kind: Kind, at milliseconds: UInt64) {
        let timestamp = max(1, UInt32(milliseconds & 0x7FFF_FFFF))
        bytes += Packet.bytes32(timestamp | kind.bit)
        last = kind
    }

    /// Adds a measured number to the current message.
    mutating func add(_ value: Int) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
}
