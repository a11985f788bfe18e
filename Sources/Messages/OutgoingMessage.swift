/// A message to publish.
public struct OutgoingMessage: Hashable, Sendable {
    /// The handling of a message when the broker is disconnected or slow.
    public enum Policy: Hashable, Sendable {
        /// Retained, QoS 1; only the newest message of a topic counts, and it is published again after every connect.
        /// An empty payload removes the topic.
        case state
        /// QoS 1, kept in order until the broker has acknowledged it.
        case event
        /// QoS 0; the oldest is dropped first.
        case stream
        /// A reply to one sender, or a request: QoS 1, dropped when the connection is lost.
        case reply(correlation: [UInt8]?)
    }

    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// The policy.
    public var policy: Policy
    /// The topic for the reply (MQTT 5 Response Topic); only for the policy `reply`.
    public var responseTopic: String?
    /// Whether the message is sent before all waiting messages; not for the policy `stream`.
    public var isUrgent: Bool
    /// The share of the message when too many messages wait: the largest share loses its oldest message. Nil means the
    /// topic. Only for the policies `event` and `reply`.
    public var share: String?

    /// Creates a message.
    public init(
        topic: String, payload: [UInt8], policy: Policy, responseTopic: String? = nil, isUrgent: Bool = false,
        share: String? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.policy = policy
        self.responseTopic = responseTopic
        self.isUrgent = isUrgent
        self.share = share
    }

    /// Creates a message that has to arrive at least once.
    public static func event(_ topic: String, _ payload: some Sequence<UInt8>) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload), policy: .event)
    }
}
