/// For how long a device may go on without a newer command, as it is commanded and as the device knows it.
///
/// A command moves the ``end``. What the device was told last holds until the ``deadline``, which a machine
/// puts into its will: a newer command may bring it forward at once, and puts it off only when it is written.
public struct Lease: Hashable, Sendable {
    /// Until when the newest command holds; nil where none does.
    public private(set) var end: Duration?
    /// Until when the device may go on as it was told; nil where it may for ever, or is at rest.
    public private(set) var deadline: Duration?

    /// Makes a lease without a holder.
    public init() {}

    /// Takes a newer command.
    public mutating func renew(until end: Duration) {
        self.end = end
        // What the device does now must not last longer than the newest command allows.
        deadline = deadline.map { min($0, end) }
    }

    /// Notes that the newest command is written, or handed to the link.
    public mutating func written() { if let end { deadline = end } }

    /// Ends the command; the deadline stays until the device is told.
    public mutating func release() { end = nil }

    /// Notes that the device was told to rest.
    public mutating func settle() { deadline = nil }

    /// Whether the newest command's time is over.
    public func isOver(at now: Duration) -> Bool { end.map { now >= $0 } ?? false }

    /// How long the newest command is still valid; nil where none is.
    public func remainder(at now: Duration) -> Duration? { end.map { max(.zero, $0 - now) } }
}
