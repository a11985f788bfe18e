/// How long a device may continue its motion without a newer command.
///
/// A command sets the ``end``. The ``deadline`` is determined by the last write to the device, and is part of the
/// device's ``Will``. A newer command can bring the deadline forward immediately, but extends it only when the command
/// is written to the device.
public struct Lease: Hashable, Sendable {
    /// The time at which the newest command's lease ends; nil without a command.
    public private(set) var end: Duration?
    /// The time until which the device may continue with the last written values; nil for no limit, or if the device
    /// stands still.
    public private(set) var deadline: Duration?

    /// Creates a lease without a command.
    public init() {}

    /// Sets the end of a newer command's lease.
    public mutating func renew(until end: Duration) {
        self.end = end
        // The current motion must not last longer than the newest command allows.
        deadline = deadline.map { min($0, end) }
    }

    /// Records that the newest command is written to the device, or passed to the link.
    public mutating func written() { if let end { deadline = end } }

    /// Ends the newest command. The deadline remains until a stop is written to the device.
    public mutating func release() { end = nil }

    /// Records that a stop is written to the device.
    public mutating func settle() { deadline = nil }

    /// Whether the lease of the newest command is over.
    public func isOver(at now: Duration) -> Bool { end.map { now >= $0 } ?? false }

    /// How long the newest command remains valid; nil without a command.
    public func remainder(at now: Duration) -> Duration? { end.map { max(.zero, $0 - now) } }
}
