public import Messages

/// The bridge's connection to the broker, for messages and subscriptions; implemented by the module `MQTT`.
public protocol Broker: Sendable {
    /// Queues a message without blocking. The message's policy defines what happens to it while there is no connection.
    func publish(_ message: OutgoingMessage)
    /// Sends a probe: a message with QoS 0, not retained, ahead of all waiting messages. It replaces an earlier probe
    /// that still waits for the socket. Without a connection, the probe is discarded.
    ///
    /// - Parameter sent: Called on the bridge's executor, possibly before this method returns, with the time (clock of
    ///   ``TimeSource/now``) at which the socket accepted the message. Not called for a message that was not sent.
    func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void)
    /// Stops managing retained topics that another client now publishes. Their messages stay on the broker, and this
    /// bridge does not publish them again after a reconnect.
    func release(_ topics: [String])
    /// Publishes a retained topic again because another client has emptied or overwritten it, soon and at a limited
    /// rate. `payload` is what the other client published. Has no effect if this bridge published the same payload
    /// last, or on a released topic.
    func restore(_ topic: String, insteadOf payload: [UInt8])
    /// While true, queues published messages and sends only probes. If a shutdown closes the connection in this state,
    /// the last will is not published.
    func holdBack(_ isHeldBack: Bool)
    /// Subscribes to topics, on this connection and on every later one.
    func subscribe(_ filters: [TopicFilter])
    /// Unsubscribes from topics.
    func unsubscribe(_ filters: [String])
    /// Delivers everything that the broker has sent so far, then reconnects with a clean start and reports
    /// ``BrokerEvent/lost(reason:)`` and ``BrokerEvent/connected(version:)``. Does nothing without a connection.
    func drainAndReconnect()
    /// Retries the messages and subscriptions that the broker refused, at once, because its access rules may have
    /// changed.
    func retryRefused()
    /// Returns the counters since the start, and the latency of acknowledgements since the previous call.
    func statistics() async -> BrokerStatistics
    /// Reports events from this call on. Call it once.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event and each message, without a queue in
    ///   between, so that nothing is dropped. It is never called during a call of this port.
    func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void)
}

/// An event of the connection to the broker.
public enum BrokerEvent: Sendable {
    /// The connection is established; the version of the protocol in words: `MQTT 5.0`.
    case connected(version: String)
    /// The connection was lost, for this reason.
    case lost(reason: String)
    /// A message arrived.
    case message(IncomingMessage)
    /// The broker granted a subscription with this maximum QoS; reported once for each connection and each new
    /// subscription.
    case subscribed(filter: String, qos: Int)
    /// The broker refused a subscription; reported once for each connection. The client retries until
    /// ``subscribed(filter:qos:)``.
    case subscriptionRefused(filter: String, reason: String)
    /// The broker refused a message on a topic, or a message on the topic was lost. If the broker closed the connection
    /// because of the topic, nothing more is sent on the topic, which is reported on each later connection.
    case refused(topic: String, reason: String)
    /// The broker or the protocol refused an event or a reply, which is not sent again.
    case messageRefused(OutgoingMessage, reason: String)
    /// The broker accepts messages on a topic that it refused earlier.
    case accepted(topic: String)
    /// The connection closed without a reason while an answer to this topic was not acknowledged.
    case replyUnconfirmed(topic: String)
}

extension IncomingMessage {
    /// The largest payload that is read, in bytes. If a payload is larger, only its size is reported.
    public static let maximumPayload = 65_536
}
