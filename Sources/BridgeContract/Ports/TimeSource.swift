public import DeviceKit

/// The bridge's clocks: a monotonic clock and the calendar.
public protocol TimeSource: Sendable {
    /// The time on a monotonic clock that continues while the machine is suspended.
    var now: Duration { get }
    /// The calendar time.
    var date: TimeStamp { get }
    /// The present offset of the host's time zone, in minutes east of UTC.
    var utcOffset: Int { get }
    /// Whether the kernel considers the calendar clock synchronized (adjtimex(2)); nil if it does not report that.
    var isSynchronised: Bool? { get }
    /// Calls a handler once, on the bridge's executor, when ``now`` reaches a moment; never before this method returns.
    func schedule(at moment: Duration, _ call: @escaping @Sendable () -> Void) -> any ScheduledCall
    /// Calls a handler on the bridge's executor after a stall, before the bridge processes what arrived during the
    /// stall.
    func onStall(_ handler: @escaping @Sendable (Stall) -> Void)
    /// Enables the detection of stalls while the machine runs, which costs a few wake-ups a second. Suspension is
    /// always detected.
    func detectStalls(_ isWanted: Bool)
    /// Checks for a stall now, on the bridge's executor, and calls the handler if there was one. Call it before an
    /// action that must not be late.
    func checkForStall()
}

/// A call of a handler at a later moment.
public protocol ScheduledCall {
    /// Cancels the call. Does nothing if the handler was already called.
    func cancel()
}
