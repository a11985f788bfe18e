import BridgeConfiguration

extension BrokerFacts {
    /// How one of several brokers answers beside the one that was looked at.
    struct Other: Hashable, Sendable {
        /// What the configuration says of this broker.
        var settings: MQTTSettings
        var connection: Connection
        /// Whether a message reached it that was sent to the one that was looked at; nil where it was not tried.
        var isReached: Bool?
        /// Whether what the other one has retained is retained here too; nil where it has nothing of the bridge.
        var hasRetained: Bool?

        /// How it stands.
        func finding(besides main: BrokerFacts) -> Finding {
            var facts = main
            (facts.settings, facts.connection, facts.others) = (settings, connection, [])
            guard facts.isAccepted else {
                // The bridge works with another one, so that this is no problem yet.
                guard main.isAccepted, let own = facts.findings.first else { return facts.findings[0] }
                return .warning(.broker, own.summary, own.remedies)
            }
            guard isReached != false else {
                return .problem(
                    .broker,
                    "what is sent to \(main.broker) does not reach \(facts.broker): a bridge that moves over is not "
                        + "heard by who stays",
                    [
                        "in mosquitto.conf of one of the two, which must not be more than two:",
                        "connection pair", "address \(settings.host):\(settings.port)", "topic # both 1",
                        "bridge_protocol_version mqttv50",
                        "or join them to a cluster: docs/guides/brokers.md",
                    ])
            }
            guard hasRetained != false else {
                return .problem(
                    .broker,
                    "what \(main.broker) has retained is not retained at \(facts.broker): who asks there after a "
                        + "fail-over finds nothing",
                    [
                        "a broker whose retained messages belong to one node does not suit: docs/guides/brokers.md"
                    ])
            }
            return .ok(.broker, "\(facts.broker) answers, and holds the same messages as \(main.broker)")
        }
    }
}
