public import Messages

/// Tells what happened to a client's connection, and what the broker would not take.
public enum Event: Sendable {
    /// The broker accepted us; subscriptions are renewed and states published again by themselves.
    case connected(Connected)
    /// The connection ended or could not be made; the next attempt follows after a wait.
    case disconnected(MQTTError, retryIn: Duration)
    /// The broker granted a subscription, at most at this QoS: once for each connection and each new subscription.
    case subscribed(filter: String, qos: Int)
    /// The broker refused a subscription, told once for each connection; it is tried again.
    case subscribeRefused(filter: String, reason: Reason)
    /// The broker, or the protocol, refused a message; or the broker ends the connection over what is published on the topic,
    /// on which nothing is sent then; this is reported for each connection.
    case publishRefused(topic: String, reason: Reason)
    /// The broker, or the protocol, refused an event or a reply, which is not sent again; ``publishRefused(topic:reason:)``
    /// comes before it.
    case messageRefused(OutgoingMessage, reason: Reason)
    /// The broker takes what is published on a topic that was left out.
    case publishAccepted(topic: String)
    /// The connection ended without a reason while an answer to this topic was not confirmed: the broker may end the
    /// connection over it.
    case replyUnconfirmed(topic: String)
    /// Events were lost because the queue was full; told for the first since the last connect, then at every
    /// power of ten, and with the final count when the broker is back.
    case eventsDropped(total: Int, lastTopic: String)

    /// How a connection was made.
    public struct Connected: Sendable, Hashable {
        /// The version that both sides speak.
        public var version: ProtocolVersion
        /// The address that answered: `127.0.0.1:1883` or a socket's path.
        public var address: String
        /// How many bytes the broker lets a message of ours have, all told (MQTT 5, Maximum Packet Size); nil where it did
        /// not say.
        public var packetLimit: Int?
    }
}
