import BridgeConfiguration

extension BrokerFacts {
    /// The result for one further broker of the configuration, compared with the main broker.
    struct Other: Hashable, Sendable {
        var settings: MQTTSettings
        var connection: Connection
        /// Whether the broker delivered a message that was sent to the main broker; nil if that was not tested.
        var isReached: Bool?
        /// Whether the broker has the retained messages of the main broker; nil if the main broker has no messages of
        /// the bridge.
        var hasRetained: Bool?

        func finding(besides main: BrokerFacts) -> Finding {
            var facts = main
            (facts.settings, facts.connection, facts.others) = (settings, connection, [])
            guard facts.isAccepted else {
                // The bridge can use the main broker, so a problem of another broker is only a warning.
                guard main.isAccepted, let own = facts.findings.first else { return facts.findings[0] }
                return .warning(.broker, own.summary, own.remedies)
            }
            guard isReached != false else {
                return .problem(
                    .broker,
                    "messages on \(main.broker) do not reach \(facts.broker): after a fail-over, clients of the other "
                        + "broker do not receive the bridge's messages",
                    [
                        "in mosquitto.conf of one of the two (not for more than two brokers):",
                        "connection pair", "address \(settings.host):\(settings.port)", "topic # both 1",
                        "bridge_protocol_version mqttv50",
                        "or connect them as a cluster: docs/guides/brokers.md",
                    ])
            }
            guard hasRetained != false else {
                return .problem(
                    .broker,
                    "retained messages of \(main.broker) are missing on \(facts.broker): after a fail-over, clients "
                        + "receive no states there",
                    [
                        "use brokers that share their retained messages: docs/guides/brokers.md"
                    ])
            }
            return .ok(.broker, "\(facts.broker) answers, and has the same messages as \(main.broker)")
        }
    }
}
