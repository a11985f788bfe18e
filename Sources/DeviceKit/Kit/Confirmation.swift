/// A request that is complete only when the device has acknowledged the write and has also reported that it did what
/// was requested. The report can arrive before the acknowledgment.
public struct Confirmation<Goal: Sendable>: Sendable {
    /// The timer that runs while the request is in progress.
    public static var timer: TimerName { "confirmation" }
    /// The maximum wait for the acknowledgment of the write, in case the link never reports a result.
    public static var patience: Duration { .seconds(20) }

    /// The report that the device must send.
    public let goal: Goal
    /// The maximum time between the acknowledgment and the report of the device.
    public let time: Duration
    /// Whether the device acknowledged the write.
    public private(set) var isAcknowledged = false
    /// Whether the device has reported that it did what was requested.
    public private(set) var isHeard = false

    /// Creates a request that is about to be written.
    public init(_ goal: Goal, within time: Duration) {
        self.goal = goal
        self.time = time
    }

    /// Whether both the acknowledgment and the report have arrived.
    public var isDone: Bool { isAcknowledged && isHeard }

    /// Starts to wait for the acknowledgment. Call this after the write.
    public func begin(_ effects: inout Effects) { effects.startTimer(Self.timer, after: Self.patience) }

    /// Records that the device acknowledged the write, and starts the time limit for its report.
    public mutating func acknowledged(_ effects: inout Effects) {
        isAcknowledged = true
        effects.startTimer(Self.timer, after: time)
    }

    /// Records the report of the device.
    public mutating func heard() { isHeard = true }

    /// Stops the time limit, whether the request is complete or not.
    public func end(_ effects: inout Effects) { effects.cancelTimer(Self.timer) }
}
