/// A message to be published.
public struct OutgoingMessage: Hashable, Sendable {
    /// What becomes of it when the broker is away or slow.
    public enum Policy: Hashable, Sendable {
        /// Retained, QoS 1; the newest of a topic counts and is published again after every connect. An empty
        /// payload removes the topic.
        case state
        /// QoS 1, kept in order until the broker has acknowledged it.
        case event
        /// QoS 0, dropped oldest first.
        case stream
        /// An answer to one sender, or a question: QoS 1, not kept over a lost connection.
        case reply(correlation: [UInt8]?)
    }

    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// The policy.
    public var policy: Policy
    /// Where its answer is wanted (MQTT 5 Response Topic); only for the policy `reply`.
    public var responseTopic: String?
    /// Whether it goes ahead of everything that waits; not for the policy `stream`.
    public var isUrgent: Bool
    /// On whose behalf it is sent, where too many messages wait: the largest share loses its oldest. Nil stands for the
    /// topic. Only for the policies `event` and `reply`.
    public var share: String?

    /// Makes a message.
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

    /// Makes a message that is to arrive at least once.
    public static func event(_ topic: String, _ payload: some Sequence<UInt8>) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload), policy: .event)
    }
}
