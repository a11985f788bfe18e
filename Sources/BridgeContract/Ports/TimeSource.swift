public import DeviceKit

/// The bridge's clocks: one that only goes forward, and the calendar.
public protocol TimeSource: Sendable {
    /// Time on a clock that only goes forward and does not stand still in suspend.
    var now: Duration { get }
    /// The calendar's time.
    var date: TimeStamp { get }
    /// Whether the kernel takes the calendar's clock for synchronised (adjtimex(2)); nil where it does not tell.
    var isSynchronised: Bool? { get }
    /// Calls a handler once, when ``now`` has reached a moment; on the bridge's executor, never before this returns.
    func schedule(at moment: Duration, _ call: @escaping @Sendable () -> Void) -> any ScheduledCall
    /// Calls a handler, on the bridge's executor, when the bridge was kept from its work: before anything is done
    /// that came meanwhile.
    func onStall(_ handler: @escaping @Sendable (Stall) -> Void)
    /// Says whether it is to be noticed when the bridge is late, which costs a few wake-ups a second; that the
    /// host slept is always noticed.
    func detectStalls(_ isWanted: Bool)
    /// Looks now, on the bridge's executor, whether it was kept from its work, and calls the handler if so: for who is
    /// about to do what must not be done late.
    func checkForStall()
}

/// A call that a clock is going to make.
public protocol ScheduledCall {
    /// Takes it back; does nothing once it was made.
    func cancel()
}
