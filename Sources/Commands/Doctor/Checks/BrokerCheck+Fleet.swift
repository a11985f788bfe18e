import Reference

extension BrokerFacts {
    /// How the broker behaves in a fleet, which means with many bridges, devices or clients.
    struct Fleet: Hashable, Sendable {
        /// The additional latency above which Nagle's algorithm together with delayed TCP acknowledgments is reported
        /// as the cause.
        static let company = Duration.milliseconds(20)

        /// Whether the broker sends retained messages for a filter with a wildcard; nil if nothing is retained yet.
        var sendsRetained: Bool?
        /// The number of messages, out of ``BrokerProbe/queueLength``, that reached a slow client; nil if that was not
        /// tested.
        var queued: Int?
        /// The additional latency of an answer to a client that delays its TCP acknowledgments.
        var delay: Duration?

        var findings: [Finding] {
            var findings: [Finding] = []
            if sendsRetained == false {
                findings.append(
                    .problem(
                        .broker,
                        "retained messages are not sent for a wildcard filter: bridges do not find each other, and "
                            + "later subscribers receive no states",
                        ["use another broker: docs/guides/brokers.md"]))
            }
            if let queued, queued < BrokerProbe.queueLength {
                findings.append(
                    .warning(
                        .broker,
                        "a slow client received \(queued) of \(BrokerProbe.queueLength) messages: a client that "
                            + "subscribes to many devices misses retained messages",
                        [
                            "in mosquitto.conf: \(MosquittoLines.queue)",
                            "in ejabberd.yml: mod_mqtt: max_queue",
                        ]))
            }
            if let delay, delay > Self.company {
                let milliseconds = Int(delay / .milliseconds(1))
                findings.append(
                    .warning(
                        .broker,
                        "an answer to a client waits \(milliseconds) ms for the previous message's acknowledgment",
                        ["in mosquitto.conf: set_tcp_nodelay true"]))
            }
            return findings
        }
    }
}
