/// Keeps writes apart: one at a time, and not sooner than an interval after the one before. What comes meanwhile waits
/// in one place, where only the newest counts.
public struct WritePacer: Hashable, Sendable {
    /// From where the interval counts.
    public enum Origin: Hashable, Sendable {
        /// The begin of the write before.
        case start
        /// The end of the write before.
        case end
    }

    /// What to do now.
    public enum Decision: Hashable, Sendable {
        /// Write the newest values.
        case send
        /// Ask again after so long.
        case wait(Duration)
        /// Nothing; the next completion or request decides.
        case nothing
    }

    /// The shortest time between two writes.
    public let interval: Duration
    /// From where it counts.
    public let origin: Origin
    /// Whether values wait to be written.
    public private(set) var isDue = false
    /// Whether a write is under way.
    public private(set) var isUnderWay = false
    /// Before this moment nothing is written; nil where nothing was written yet.
    private var free: Duration?

    /// Makes a pacer that lets the first write out at once.
    public init(_ interval: Duration, from origin: Origin = .start) {
        self.interval = interval
        self.origin = origin
    }

    /// How long a write must still wait; nil while one is under way, whose end decides.
    public func delay(at now: Duration) -> Duration? {
        isUnderWay ? nil : max(.zero, (free ?? now) - now)
    }

    /// Notes that a write goes out now.
    public mutating func begin(at now: Duration) {
        (isDue, isUnderWay) = (false, true)
        if origin == .start { free = now + interval }
    }

    /// Notes that the write under way is done, well or badly.
    public mutating func end(at now: Duration) {
        isUnderWay = false
        if origin == .end { free = now + interval }
    }

    /// Takes new values.
    public mutating func request(at now: Duration) -> Decision {
        isDue = true
        return advance(at: now)
    }

    /// Takes the end of the write under way.
    public mutating func completed(at now: Duration) -> Decision {
        end(at: now)
        return advance(at: now)
    }

    /// Decides anew, since time has passed. After ``Decision/send`` a write counts as under way.
    public mutating func advance(at now: Duration) -> Decision {
        guard isDue, let delay = delay(at: now) else { return .nothing }
        guard delay == .zero else { return .wait(delay) }
        begin(at: now)
        return .send
    }

    /// Gives up the values that wait.
    public mutating func cancel() { isDue = false }

    /// Forgets everything: the link is gone, and nothing is under way.
    public mutating func reset() { self = WritePacer(interval, from: origin) }
}
