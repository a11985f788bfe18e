/// Limits the rate of writes to a device: one write at a time, and at least one interval between two writes. While
/// values wait to be written, newer values replace them.
public struct WritePacer: Hashable, Sendable {
    /// The moment at which the interval starts.
    public enum Origin: Hashable, Sendable {
        /// The interval starts with the start of the previous write.
        case start
        /// The interval starts with the end of the previous write.
        case end
    }

    /// The next action of the caller.
    public enum Decision: Hashable, Sendable {
        /// Write the newest values.
        case send
        /// Call ``advance(at:)`` after this time.
        case wait(Duration)
        /// Do nothing until the next completion or request.
        case nothing
    }

    /// The shortest time between two writes.
    public let interval: Duration
    /// The moment at which the interval starts.
    public let origin: Origin
    /// Whether values wait to be written.
    public private(set) var isDue = false
    /// Whether a write is in progress.
    public private(set) var isUnderWay = false
    /// The earliest time of the next write; nil before the first write.
    private var free: Duration?

    /// Creates a pacer that sends the first write immediately.
    public init(_ interval: Duration, from origin: Origin = .start) {
        self.interval = interval
        self.origin = origin
    }

    /// The time until the next write is allowed; nil while a write is in progress, because the time then depends on
    /// when this write ends.
    public func delay(at now: Duration) -> Duration? {
        isUnderWay ? nil : max(.zero, (free ?? now) - now)
    }

    /// Records the start of a write.
    public mutating func begin(at now: Duration) {
        (isDue, isUnderWay) = (false, true)
        if origin == .start { free = now + interval }
    }

    /// Records the end of the write in progress, successful or not.
    public mutating func end(at now: Duration) {
        isUnderWay = false
        if origin == .end { free = now + interval }
    }

    /// Records that new values wait to be written, and decides about the next write.
    public mutating func request(at now: Duration) -> Decision {
        isDue = true
        return advance(at: now)
    }

    /// Handles the completion of the write in progress.
    public mutating func completed(at now: Duration) -> Decision {
        end(at: now)
        return advance(at: now)
    }

    /// Decides about the next write again, because time has passed. If the result is ``Decision/send``, the caller must
    /// write, and the pacer treats the write as started.
    public mutating func advance(at now: Duration) -> Decision {
        guard isDue, let delay = delay(at: now) else { return .nothing }
        guard delay == .zero else { return .wait(delay) }
        begin(at: now)
        return .send
    }

    /// Drops the values that wait.
    public mutating func cancel() { isDue = false }

    /// Resets everything: the link is gone, and no write is in progress.
    public mutating func reset() { self = WritePacer(interval, from: origin) }
}
