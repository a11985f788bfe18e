/// How long something took: how often, and the usual and the worst of it.
public struct Latencies: Hashable, Sendable {
    /// How many measurements there were.
    public var count: Int
    /// Half took no longer.
    public var median: Duration
    /// 99 of 100 took no longer.
    public var percentile99: Duration
    /// The longest.
    public var maximum: Duration

    /// Makes a summary.
    public init(
        count: Int = 0, median: Duration = .zero, percentile99: Duration = .zero, maximum: Duration = .zero
    ) {
        self.count = count
        self.median = median
        self.percentile99 = percentile99
        self.maximum = maximum
    }
}
