import BridgeConfiguration

extension BrokerFacts {
    /// The result for another of several brokers, compared with the main one.
    struct Other: Hashable, Sendable {
        /// The settings of this broker.
        var settings: MQTTSettings
        var connection: Connection
        /// Whether it delivered a message that was sent to the main broker; nil if that was not tested.
        var isReached: Bool?
        /// Whether it has the retained messages of the main broker; nil if that has none of the bridge.
        var hasRetained: Bool?

        func finding(besides main: BrokerFacts) -> Finding {
            var facts = main
            (facts.settings, facts.connection, facts.others) = (settings, connection, [])
            guard facts.isAccepted else {
                // The bridge can use the main broker, so this is only a warning.
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
