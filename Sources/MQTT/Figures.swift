import CoreMetrics
import Messages

/// Counts the messages, connections and latencies of a client.
struct Figures {
    var received = 0
    var connects = 0
    private var latency = LatencyHistogram()
    /// Publishes the acknowledgement latencies in the process's metrics.
    private let timer = Timer(label: "tactile_bridge_mqtt_acknowledgement_seconds")

    /// Records the time that the broker took to acknowledge a message.
    mutating func acknowledged(after latency: Duration) {
        self.latency.record(latency)
        let (seconds, attoseconds) = latency.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    mutating func resetLatency() { latency = LatencyHistogram() }

    /// Returns the statistics, including the counters of the outbox.
    func statistics(_ outbox: Outbox, refused subscriptions: [String]) -> BrokerStatistics {
        var statistics = BrokerStatistics()
        statistics.received = received
        statistics.sent = outbox.sent
        statistics.acknowledged = outbox.acknowledged
        statistics.repeated = outbox.repeated
        statistics.dropped = outbox.dropped
        statistics.queueDepth = outbox.depth
        statistics.inFlight = outbox.inFlight.count
        statistics.reconnects = max(0, connects - 1)
        statistics.latency = latency.summary
        statistics.missingSubscriptions = subscriptions
        statistics.rejectedTopics = outbox.suspicion.rejected.keys.sorted()
        return statistics
    }
}

/// Decides when to report the number of lost events: at the first loss since the last connect, whenever the number has
/// grown tenfold since then, and at the next connect.
struct DropReport {
    private var next = 1
    private var reported = 0

    /// Whether to report the total, which has grown.
    mutating func isDue(_ total: Int) -> Bool {
        guard total >= next else { return false }
        reported = total
        while next <= total { next *= 10 }
        return true
    }

    /// Whether to report the number at a connect, because losses are still unreported.
    mutating func isDueAtConnect(_ total: Int) -> Bool {
        defer { (next, reported) = (total + 1, total) }
        return total > reported
    }
}
