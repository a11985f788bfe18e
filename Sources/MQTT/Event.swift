public import Messages

/// An event of a client's connection, or a refusal by the broker.
public enum Event: Sendable {
    /// The broker accepted the client. Subscriptions and states are sent again automatically.
    case connected(Connected)
    /// The connection ended or could not be established; the next attempt follows after a delay.
    case disconnected(MQTTError, retryIn: Duration)
    /// The broker granted a subscription; `qos` is the maximum QoS of its messages. Reported once for each connection
    /// and each new subscription.
    case subscribed(filter: String, qos: Int)
    /// The broker refused a subscription, which is retried. Reported once for each connection.
    case subscribeRefused(filter: String, reason: Reason)
    /// The broker or the protocol refused a message. Or the broker closes the connection because of messages on the
    /// topic, which is then suspended. Reported for each connection.
    case publishRefused(topic: String, reason: Reason)
    /// The broker or the protocol refused an event or a reply, which is not sent again;
    /// ``publishRefused(topic:reason:)`` precedes it.
    case messageRefused(OutgoingMessage, reason: Reason)
    /// The broker accepts messages on a topic that was suspended.
    case publishAccepted(topic: String)
    /// The connection ended without a reason while a reply on this topic was unconfirmed: the broker may have ended it
    /// because of the reply.
    case replyUnconfirmed(topic: String)
    /// Events were lost because the queue was full. Reported for the first loss since the last connect, whenever the
    /// total has grown tenfold since then, and with the final count after a reconnect. The total counts from the start
    /// of the client.
    case eventsDropped(total: Int, lastTopic: String)

    /// The properties of an accepted connection.
    public struct Connected: Sendable, Hashable {
        /// The negotiated protocol version.
        public var version: ProtocolVersion
        /// The connected address: `127.0.0.1:1883` or a socket's path.
        public var address: String
        /// The broker's maximum packet size in bytes (MQTT 5, Maximum Packet Size); nil if the broker sent none.
        public var packetLimit: Int?
    }
}
