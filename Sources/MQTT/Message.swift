/// A message for the broker, and how much its loss would matter.
public struct Message: Sendable, Hashable {
    /// What becomes of a message that cannot be sent at once.
    public enum Policy: Sendable, Hashable {
        /// Retained, QoS 1, newest wins: the last value of the topic is kept and published again after every
        /// connect.
        case state
        /// Not retained, QoS 1: waits in a bounded queue, and is sent again until the broker acknowledges it.
        case event
        /// Not retained, QoS 0: the oldest is dropped when the broker is slow, all while there is none.
        case stream
        /// QoS 1, the answer to a request that came with a Response Topic; forgotten if the connection ends.
        case reply(correlationData: [UInt8]?)
    }

    /// The topic name, without wildcards.
    public var topic: String
    /// The bytes; an empty payload of a state removes the topic from the broker.
    public var payload: [UInt8]
    /// What becomes of it if it cannot be sent at once.
    public var policy: Policy

    /// Makes a message of any policy.
    public init(topic: String, payload: [UInt8], policy: Policy) {
        self.topic = topic
        self.payload = payload
        self.policy = policy
    }

    /// Makes a retained value of a topic.
    public static func state(_ topic: String, _ payload: some Sequence<UInt8>) -> Message {
        Message(topic: topic, payload: Array(payload), policy: .state)
    }

    /// Makes the removal of a retained topic: one empty retained message, after which it is forgotten.
    public static func removal(of topic: String) -> Message {
        Message(topic: topic, payload: [], policy: .state)
    }

    /// Makes a message that is to arrive at least once.
    public static func event(_ topic: String, _ payload: some Sequence<UInt8>) -> Message {
        Message(topic: topic, payload: Array(payload), policy: .event)
    }

    /// Makes a message of a stream of which the newest counts.
    public static func stream(_ topic: String, _ payload: some Sequence<UInt8>) -> Message {
        Message(topic: topic, payload: Array(payload), policy: .stream)
    }

    /// Makes the answer to a request, for its Response Topic and with its Correlation Data.
    public static func reply(
        to responseTopic: String, correlationData: [UInt8]?, _ payload: some Sequence<UInt8>
    ) -> Message {
        Message(
            topic: responseTopic, payload: Array(payload), policy: .reply(correlationData: correlationData))
    }
}
