public import DeviceKit

/// The bridge's clocks: one that only goes forward, and the calendar.
public protocol TimeSource: Sendable {
    /// Time on a clock that only goes forward and does not stand still in suspend.
    var now: Duration { get }
    /// The calendar's time.
    var date: TimeStamp { get }
    /// Waits until ``now`` has reached a time; returns at once if it has.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until time: Duration) async throws
}
