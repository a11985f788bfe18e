/// A request that is done only when the device has acknowledged the write and then, or before, has said itself that it
/// did what was asked.
public struct Confirmation<Goal: Sendable>: Sendable {
    /// The timer that runs while the device is waited for.
    public static var timer: TimerName { "confirmation" }
    /// How long the request may wait to be acknowledged, should the link never say.
    public static var patience: Duration { .seconds(20) }

    /// What the device must say.
    public let goal: Goal
    /// How long the device may take after it acknowledged the request.
    public let time: Duration
    /// Whether the device acknowledged the write.
    public private(set) var isAcknowledged = false
    /// Whether the device has said that it did what was asked.
    public private(set) var isHeard = false

    /// Makes a request that is about to be written.
    public init(_ goal: Goal, within time: Duration) {
        self.goal = goal
        self.time = time
    }

    /// Whether the device did what was asked.
    public var isDone: Bool { isAcknowledged && isHeard }

    /// Begins to wait, behind the write.
    public func begin(_ effects: inout Effects) { effects.startTimer(Self.timer, after: Self.patience) }

    /// Notes that the device acknowledged the write: now it must say so in time.
    public mutating func acknowledged(_ effects: inout Effects) {
        isAcknowledged = true
        effects.startTimer(Self.timer, after: time)
    }

    /// Notes that the device has said it.
    public mutating func heard() { isHeard = true }

    /// Ends the wait, done or not.
    public func end(_ effects: inout Effects) { effects.cancelTimer(Self.timer) }
}
