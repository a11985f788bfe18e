/// How a device is visited: the bridge connects, the state machine exchanges data and requests the disconnect, and the
/// bridge connects again after a while. Between two visits the device is available.
public struct Visiting: Hashable, Sendable {
    /// The time between the end of a visit and the next visit.
    public var period: Duration
    /// The time between a failed visit and the next try.
    public var retry: Duration
    /// The number of tries after which the bridge waits for a whole ``period``.
    public var tries: Int

    /// Creates a description.
    ///
    /// - Parameter retry: The time after a failed visit, at most the period.
    public init(period: Duration, retry: Duration, tries: Int) {
        self.period = period
        self.retry = min(retry, period)
        self.tries = tries
    }

    /// How long a device is available after a visit: two rounds of visits may fail.
    public var availability: Duration { period * 5 / 2 }

    /// The time after a number of failed tries in a row.
    public func pause(attempt: Int) -> Duration { attempt % tries == 0 ? period : retry }
}
