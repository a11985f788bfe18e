import CLinux

/// Says what a watched descriptor is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Something can be read.
    public static let readable = Readiness(rawValue: 1)
    /// Something can be written.
    public static let writable = Readiness(rawValue: 2)
    /// The other end is gone (`EPOLLHUP`); reported without being asked for.
    public static let hungUp = Readiness(rawValue: 4)
    /// The descriptor has an error or is not open (`EPOLLERR`); reported without being asked for.
    public static let failed = Readiness(rawValue: 8)

    init(events: UInt32) {
        var readiness: Readiness = []
        if events & UInt32(EPOLLIN) != 0 { readiness.insert(.readable) }
        if events & UInt32(EPOLLOUT) != 0 { readiness.insert(.writable) }
        if events & UInt32(EPOLLHUP) != 0 { readiness.insert(.hungUp) }
        if events & UInt32(EPOLLERR) != 0 { readiness.insert(.failed) }
        self = readiness
    }

    /// What a watch is told: what it waits for, and what is told without being asked for; nothing while it is paused.
    init(toldTo interest: Interest) {
        self = interest.isEmpty ? [] : [.hungUp, .failed]
        if interest.contains(.readable) { insert(.readable) }
        if interest.contains(.writable) { insert(.writable) }
    }
}
