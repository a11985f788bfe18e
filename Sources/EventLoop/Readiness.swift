import CLinux

/// The conditions for which a watched descriptor is ready.
public struct Readiness: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Data can be read.
    public static let readable = Readiness(rawValue: 1)
    /// Data can be written.
    public static let writable = Readiness(rawValue: 2)
    /// The other end is closed (`EPOLLHUP`); always reported.
    public static let hungUp = Readiness(rawValue: 4)
    /// The descriptor has an error or is not open (`EPOLLERR`); always reported.
    public static let failed = Readiness(rawValue: 8)

    init(events: UInt32) {
        var readiness: Readiness = []
        if events & UInt32(EPOLLIN) != 0 { readiness.insert(.readable) }
        if events & UInt32(EPOLLOUT) != 0 { readiness.insert(.writable) }
        if events & UInt32(EPOLLHUP) != 0 { readiness.insert(.hungUp) }
        if events & UInt32(EPOLLERR) != 0 { readiness.insert(.failed) }
        self = readiness
    }

    /// The conditions that a watch may receive: its interest, and the conditions that are always reported. Empty while
    /// the watch is paused.
    init(toldTo interest: Interest) {
        self = interest.isEmpty ? [] : [.hungUp, .failed]
        if interest.contains(.readable) { insert(.readable) }
        if interest.contains(.writable) { insert(.writable) }
    }
}
