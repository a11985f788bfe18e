/// The Response Topics whose answers the broker had not confirmed, or had just refused, when it ended the connection
/// without a reason.
///
/// Some brokers end the connection of a client that publishes what it may not. A sender who chooses such a topic could
/// disconnect the bridge with each request. For an hour the answers of these requests go to the usual topics.
package struct UnconfirmedReplies: Sendable {
    package static let memory = Duration.seconds(3600)
    private static let capacity = 1_000

    private var topics: [String: Duration] = [:]
    /// The last topic on which the broker refused an answer, and when.
    private var refused: (topic: String, moment: Duration)?

    /// Notes a topic.
    ///
    /// - Returns: Whether it is new.
    package mutating func note(_ topic: String, at now: Duration) -> Bool {
        topics = topics.filter { now - $0.value < Self.memory }
        if topics.count >= Self.capacity, let oldest = topics.min(by: { $0.value < $1.value })?.key {
            topics[oldest] = nil
        }
        return topics.updateValue(now, forKey: topic) == nil
    }

    /// The broker refused an answer on a topic.
    package mutating func refused(_ topic: String, at now: Duration) { refused = (topic, now) }

    /// The topic over which the broker has probably ended the connection: it refused an answer there just before.
    package mutating func culprit(at now: Duration) -> String? {
        defer { refused = nil }
        return refused.flatMap { now - $0.moment < .seconds(1) ? $0.topic : nil }
    }

    /// Whether an answer must not be sent to a topic.
    package func contains(_ topic: String, at now: Duration) -> Bool {
        topics[topic].map { now - $0 < Self.memory } ?? false
    }
}
