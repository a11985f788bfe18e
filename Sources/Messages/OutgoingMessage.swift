/// A message to publish.
public struct OutgoingMessage: Hashable, Sendable {
    /// The handling of a message when the broker is disconnected or slow.
    public enum Policy: Hashable, Sendable {
        /// Retained, QoS 1. Only the newest message of a topic is kept, and is published again after every connect. An
        /// empty payload removes the retained message.
        case state
        /// QoS 1, kept in order until the broker has acknowledged it.
        case event
        /// QoS 0. If too many messages wait, the oldest is dropped first.
        case stream
        /// A reply to one sender, or a request: QoS 1, dropped when the connection is lost.
        case reply(correlation: [UInt8]?)
    }

    /// The topic to which the message is published.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// The handling of the message when the broker is disconnected or slow.
    public var policy: Policy
    /// The topic for the reply (MQTT 5 Response Topic); only for the policy `reply`.
    public var responseTopic: String?
    /// Whether the message is sent before all waiting messages; not for the policy `stream`.
    public var isUrgent: Bool
    /// The group to which the message belongs. If too many messages wait, the oldest message of the group with the most
    /// messages is dropped. If nil, the topic is the group. Only for the policies `event` and `reply`.
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

    /// Creates a message with the policy `event`, which the client sends until the broker acknowledges it.
    public static func event(_ topic: String, _ payload: some Sequence<UInt8>) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload), policy: .event)
    }
}
