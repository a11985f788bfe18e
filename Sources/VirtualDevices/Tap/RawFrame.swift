/// Collects raw messages into one notification.
struct RawFrame {
    /// The two kinds of message.
    enum Kind: Sendable {
        case motion
        case fingers

        /// The length of a message.
        var length: Int { self == .motion ? 16 : 34 }
        /// The bit of the header that says the kind.
        var bit: UInt32 { self == .motion ? 0 : 0x8000_0000 }
    }

    private(set) var bytes: [UInt8] = []
    private var last: Kind?
    private let room: Int

    /// Opens a frame of at most `room` bytes.
    init(room: Int) {
        self.room = room
        bytes.reserveCapacity(room)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether there is room for one more.
    func hasRoom(for kind: Kind) -> Bool { bytes.count + kind.length <= room }

    /// Whether it holds messages of the other kind.
    func holdsOther(than kind: Kind) -> Bool { last.map { $0 != kind } ?? false }

    /// Adds the header of a message; the samples follow.
    ///
    /// - Parameter milliseconds: The device's clock, of which 31 bits count. Zero would end the frame.
    mutating func begin(_ kind: Kind, at milliseconds: UInt64) {
        let timestamp = max(1, UInt32(milliseconds & 0x7FFF_FFFF))
        bytes += Packet.bytes32(timestamp | kind.bit)
        last = kind
    }

    /// Adds a sample.
    mutating func add(_ value: Int) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
}
