package import BridgeContract
package import Messages

/// Maps the messages of the broker to their destinations, and limits the rate of floods.
///
/// Status messages of other programs may arrive in floods, and each message makes the bridge publish many messages.
/// Only the newest is handled, at a limited rate.
package struct TopicRouter: Sendable {
    private typealias Pace = Pacer<String, IncomingMessage>.Pace

    /// How often all announcements are published again.
    private static let announcing = Pace(interval: .seconds(1))
    /// The maximum number of topics cached.
    private static let capacity = 4096

    private let topics: Topics
    private var destinations: [String: Topics.Destination?] = [:]
    private var pacer = Pacer<String, IncomingMessage>()

    package init(_ topics: Topics) { self.topics = topics }

    /// The destination of a topic. Results are cached, since the topics of commands repeat.
    package mutating func destination(of topic: String) -> Topics.Destination? {
        if let known = destinations[topic] { return known }
        let found = topics.destination(topic)
        if destinations.count >= Self.capacity { destinations = [:] }
        destinations[topic] = .some(found)
        return found
    }

    // MARK: Floods

    /// Whether the message reports that Home Assistant has started.
    package static func isBirth(_ message: IncomingMessage) -> Bool {
        message.payload == Array("online".utf8)
    }

    /// Accepts a message.
    ///
    /// - Parameter status: The topic of Home Assistant's status, if the bridge subscribes to it.
    /// - Returns: Whether to handle the message now. Otherwise it waits and replaces an older one. A single message
    ///   never waits.
    package mutating func take(_ message: IncomingMessage, status: String?, at now: Duration) -> Bool {
        guard let pace = pace(message, status) else { return true }
        return pacer.take(message, on: message.topic, pace, at: now) != nil
    }

    /// When the next waiting message is handled; nil if none waits.
    package var next: Duration? { pacer.next }

    /// Removes and returns the messages that are due.
    package mutating func due(at now: Duration) -> [IncomingMessage] { pacer.due(at: now) }

    /// The rate at which messages of a topic are handled; nil for no limit.
    private func pace(_ message: IncomingMessage, _ status: String?) -> Pace? {
        // The bridge does nothing when Home Assistant goes offline.
        message.topic == status && Self.isBirth(message) ? Self.announcing : nil
    }
}
