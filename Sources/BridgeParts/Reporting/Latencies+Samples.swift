package import Messages

extension Latencies {
    /// Summarizes measurements: their number, median, 99th percentile and maximum.
    package init(_ samples: [Duration]) {
        let sorted = samples.sorted()
        func percentile(_ share: Double) -> Duration {
            sorted.isEmpty ? .zero : sorted[Int((Double(sorted.count) * share).rounded(.up)) - 1]
        }
        self.init(
            count: sorted.count, median: percentile(0.5), percentile99: percentile(0.99),
            maximum: sorted.last ?? .zero)
    }
}
