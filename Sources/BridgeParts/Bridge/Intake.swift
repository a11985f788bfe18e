package import BridgeContract
package import Messages

/// Finds what the messages of the broker mean, and holds back what comes in floods.
///
/// What other programs say of themselves may come in floods, and each message makes the bridge say a lot: of states the
/// newest is heard, at a bounded rate.
package struct Intake: Sendable {
    private typealias Pace = Pacer<String, IncomingMessage>.Pace

    /// How often all announcements are said again.
    private static let announcing = Pace(interval: .seconds(1))
    /// How many topics are remembered.
    private static let capacity = 4096

    private let topics: Topics
    private var destinations: [String: Topics.Destination?] = [:]
    private var pacer = Pacer<String, IncomingMessage>()

    package init(_ topics: Topics) { self.topics = topics }

    /// Where a topic leads; the topics of commands come again and again.
    package mutating func destination(of topic: String) -> Topics.Destination? {
        if let known = destinations[topic] { return known }
        let found = topics.destination(topic)
        if destinations.count >= Self.capacity { destinations = [:] }
        destinations[topic] = .some(found)
        return found
    }

    // MARK: Floods

    /// Whether Home Assistant says that it has started.
    package static func isBirth(_ message: IncomingMessage) -> Bool {
        message.payload == Array("online".utf8)
    }

    /// Takes a message.
    ///
    /// - Parameter status: The topic of Home Assistant's status, if it is heard.
    /// - Returns: Whether the message is heard now. Else it waits in place of an older one, or a newer one waits; a single
    ///   one never does.
    package mutating func take(_ message: IncomingMessage, status: String?, at now: Duration) -> Bool {
        guard let pace = pace(message, status) else { return true }
        return pacer.take(message, on: message.topic, pace, at: now) != nil
    }

    /// When the next message is heard that waits; nil if none does.
    package var next: Duration? { pacer.next }

    /// Takes the messages whose time has come.
    package mutating func due(at now: Duration) -> [IncomingMessage] { pacer.due(at: now) }

    /// How often messages of a topic are heard; nil for each one.
    private func pace(_ message: IncomingMessage, _ status: String?) -> Pace? {
        // Nothing follows from Home Assistant's going.
        message.topic == status && Self.isBirth(message) ? Self.announcing : nil
    }
}
