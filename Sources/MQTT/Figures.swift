import CoreMetrics
import Messages

/// What a client counts.
struct Figures {
    var received = 0
    /// How many connections the broker accepted.
    var connects = 0
    private var latency = LatencyHistogram()
    /// The latencies for the metrics of the process.
    private let timer = Timer(label: "tactile_bridge_mqtt_acknowledgement_seconds")

    /// Records how long the broker took to acknowledge a message.
    mutating func acknowledged(after latency: Duration) {
        self.latency.record(latency)
        let (seconds, attoseconds) = latency.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Starts a new summary of latencies.
    mutating func resetLatency() { latency = LatencyHistogram() }

    /// What was done, with the figures of the outbox.
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

/// Decides when the number of lost events is reported: with the first since the last connect, at every power of ten
/// from there on, and at the next connect.
struct DropReport {
    private var next = 1
    private var reported = 0

    /// Whether a number that has grown is to be reported.
    mutating func isDue(_ total: Int) -> Bool {
        guard total >= next else { return false }
        reported = total
        while next <= total { next *= 10 }
        return true
    }

    /// Whether the number is to be reported at a connect: some of it was not yet.
    mutating func isDueAtConnect(_ total: Int) -> Bool {
        defer { (next, reported) = (total + 1, total) }
        return total > reported
    }
}
