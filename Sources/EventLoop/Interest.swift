import CLinux

/// The conditions that a watch waits for.
public struct Interest: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Waits for data, for a connection to accept, or for the end of the stream.
    public static let readable = Interest(rawValue: 1)
    /// Waits for space to write.
    public static let writable = Interest(rawValue: 2)

    var events: UInt32 {
        var events: UInt32 = 0
        if contains(.readable) { events |= UInt32(EPOLLIN) }
        if contains(.writable) { events |= UInt32(EPOLLOUT) }
        return events
    }
}
