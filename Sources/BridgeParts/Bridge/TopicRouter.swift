package import BridgeContract
package import Messages

/// Maps the messages of the broker to their destinations, and limits the rate of Home Assistant's birth messages.
///
/// Home Assistant publishes a birth message when it starts. Each birth message makes the bridge publish all
/// announcements, and many may arrive at once. Only the newest birth message is handled, once in each interval.
package struct TopicRouter: Sendable {
    /// The minimum time between two publications of all announcements.
    private static let birthInterval = Duration.seconds(1)
    /// The maximum number of topics whose destinations are cached.
    private static let capacity = 4096

    private let topics: Topics
    private var destinations: [String: Topics.Destination?] = [:]
    private var waitingBirth: IncomingMessage?
    /// The time before which no birth message is handled.
    private var nextBirth = Duration.zero

    package init(_ topics: Topics) { self.topics = topics }

    /// The destination of a topic. Results are cached, since the topics of commands repeat.
    package mutating func destination(of topic: String) -> Topics.Destination? {
        if let known = destinations[topic] { return known }
        let found = topics.destination(topic)
        if destinations.count >= Self.capacity { destinations = [:] }
        destinations[topic] = .some(found)
        return found
    }

    // MARK: Rate limit of birth messages

    /// Whether the message reports that Home Assistant has started.
    package static func isBirth(_ message: IncomingMessage) -> Bool {
        message.payload == Array("online".utf8)
    }

    /// Accepts a message.
    ///
    /// - Parameter status: The topic of Home Assistant's status, if the bridge subscribes to it.
    /// - Returns: Whether to handle the message now. Otherwise the message waits and replaces an older message. A
    ///   single message never waits.
    package mutating func take(_ message: IncomingMessage, status: String?, at now: Duration) -> Bool {
        // The bridge does nothing when Home Assistant goes offline.
        guard message.topic == status, Self.isBirth(message) else { return true }
        guard waitingBirth == nil, now >= nextBirth else {
            waitingBirth = message
            return false
        }
        nextBirth = now + Self.birthInterval
        return true
    }

    /// When the waiting message is handled; nil if none waits.
    package var next: Duration? { waitingBirth.map { _ in nextBirth } }

    /// Removes and returns the waiting message if it is due.
    package mutating func due(at now: Duration) -> IncomingMessage? {
        guard let message = waitingBirth, now >= nextBirth else { return nil }
        (waitingBirth, nextBirth) = (nil, now + Self.birthInterval)
        return message
    }
}
