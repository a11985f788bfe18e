/// A summary of durations: their number, median and maximum.
public struct Latencies: Hashable, Sendable {
    /// The number of measurements.
    public var count: Int
    /// The median.
    public var median: Duration
    /// The 99th percentile.
    public var percentile99: Duration
    /// The maximum.
    public var maximum: Duration

    /// Creates a summary.
    public init(
        count: Int = 0, median: Duration = .zero, percentile99: Duration = .zero, maximum: Duration = .zero
    ) {
        self.count = count
        self.median = median
        self.percentile99 = percentile99
        self.maximum = maximum
    }
}
