/// Spaces writes: one at a time, at least one interval after the previous write. Only the newest values wait.
public struct WritePacer: Hashable, Sendable {
    /// The start of the interval.
    public enum Origin: Hashable, Sendable {
        /// The start of the previous write.
        case start
        /// The end of the previous write.
        case end
    }

    /// The next action.
    public enum Decision: Hashable, Sendable {
        /// Write the newest values.
        case send
        /// Ask again after this time.
        case wait(Duration)
        /// Do nothing; the next completion or request decides.
        case nothing
    }

    /// The shortest time between two writes.
    public let interval: Duration
    /// The start of the interval.
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

    /// How long a write must still wait; nil while a write is in progress, whose end decides.
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

    /// Accepts new values.
    public mutating func request(at now: Duration) -> Decision {
        isDue = true
        return advance(at: now)
    }

    /// Handles the completion of the write in progress.
    public mutating func completed(at now: Duration) -> Decision {
        end(at: now)
        return advance(at: now)
    }

    /// Decides again, because time has passed. After ``Decision/send``, a write is in progress.
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
