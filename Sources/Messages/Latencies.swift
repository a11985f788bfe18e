/// A summary of measured durations: their number, median, 99th percentile and maximum.
public struct Latencies: Hashable, Sendable {
    /// The number of measured durations.
    public var count: Int
    /// The median of the durations.
    public var median: Duration
    /// The 99th percentile of the durations.
    public var percentile99: Duration
    /// The longest duration.
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
