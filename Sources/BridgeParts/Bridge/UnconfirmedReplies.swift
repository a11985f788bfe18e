/// The Response Topics that may have made the broker close the connection. When the broker closed it without giving a
/// reason, answers on these topics were unconfirmed, or had just been refused.
///
/// Some brokers close the connection of a client that publishes to a forbidden topic. A sender who chooses such a topic
/// could disconnect the bridge with each request. For an hour, the answers to these requests go to the default topics.
package struct UnconfirmedReplies: Sendable {
    package static let memory = Duration.seconds(3600)
    private static let capacity = 1_000

    private var topics: [String: Duration] = [:]
    /// The last topic on which the broker refused an answer, and when.
    private var refused: (topic: String, moment: Duration)?

    package mutating func note(_ topic: String, at now: Duration) -> Bool {
        topics = topics.filter { now - $0.value < Self.memory }
        if topics.count >= Self.capacity, let oldest = topics.min(by: { $0.value < $1.value })?.key {
            topics[oldest] = nil
        }
        return topics.updateValue(now, forKey: topic) == nil
    }

    /// Records that the broker refused an answer on a topic.
    package mutating func refused(_ topic: String, at now: Duration) { refused = (topic, now) }

    /// The topic that probably made the broker close the connection: the broker refused an answer on this topic less
    /// than a second ago.
    package mutating func culprit(at now: Duration) -> String? {
        defer { refused = nil }
        return refused.flatMap { now - $0.moment < .seconds(1) ? $0.topic : nil }
    }

    /// Whether answers must not be sent to a topic, because it was added within the last hour.
    package func contains(_ topic: String, at now: Duration) -> Bool {
        topics[topic].map { now - $0 < Self.memory } ?? false
    }
}
