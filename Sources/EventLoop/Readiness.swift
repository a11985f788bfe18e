import Glibc

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
    /// The other end is gone (`POLLHUP`); reported without being asked for.
    public static let hungUp = Readiness(rawValue: 4)
    /// The descriptor has an error or is not open (`POLLERR`, `POLLNVAL`); reported without being asked for.
    public static let failed = Readiness(rawValue: 8)

    init(events: CShort) {
        var readiness: Readiness = []
        if events & CShort(POLLIN) != 0 { readiness.insert(.readable) }
        if events & CShort(POLLOUT) != 0 { readiness.insert(.writable) }
        if events & CShort(POLLHUP) != 0 { readiness.insert(.hungUp) }
        if events & CShort(POLLERR | POLLNVAL) != 0 { readiness.insert(.failed) }
        self = readiness
    }
}
