import Messages

/// Counts durations in buckets, eight for each power of two, so that percentiles need constant memory.
struct LatencyHistogram {
    private var buckets = [Int](repeating: 0, count: 264)
    private var count = 0
    private var maximum = Duration.zero

    mutating func record(_ duration: Duration) {
        buckets[Self.bucket(of: Self.microseconds(duration))] += 1
        count += 1
        maximum = max(maximum, duration)
    }

    var summary: Latencies {
        Latencies(
            count: count, median: percentile(0.5), percentile99: percentile(0.99), maximum: maximum)
    }

    private func percentile(_ share: Double) -> Duration {
        guard count > 0 else { return .zero }
        var left = Int((Double(count) * share).rounded(.up))
        for (index, size) in buckets.enumerated() {
            left -= size
            if left <= 0 { return min(.microseconds(Self.upperBound(of: index)), maximum) }
        }
        return maximum
    }

    private static func microseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(0, Int(min(seconds, 4_000)) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
    }

    /// Values below 8 have one bucket each. For higher values the position of the leading bit and the three bits after
    /// it select the bucket.
    private static func bucket(of value: Int) -> Int {
        guard value >= 8 else { return value }
        let power = Int.bitWidth - 1 - value.leadingZeroBitCount
        return (power - 2) * 8 + (value >> (power - 3)) & 7
    }

    private static func upperBound(of bucket: Int) -> Int {
        guard bucket >= 8 else { return bucket }
        let power = bucket / 8 + 2
        return (8 + bucket % 8 + 1) << (power - 3) - 1
    }
}
