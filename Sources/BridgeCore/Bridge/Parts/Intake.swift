import BridgeContract
import JSON
import Messages

/// Finds what the messages of the broker mean, and holds back what comes in floods.
///
/// What other programs say of themselves may come in floods, and each message makes the bridge say a lot: of states the
/// newest is heard, at a bounded rate.
struct Intake: Sendable {
    private typealias Pace = Pacer<String, IncomingMessage>.Pace

    /// How often all announcements are said again.
    private static let announcing = Pace(interval: .seconds(1))
    /// How often the claims of others are heard on one topic: all that two bridges have to say to each other at once.
    private static let claims = Pace(burst: 8, interval: .milliseconds(250))
    /// How many topics are remembered.
    private static let capacity = 4096

    private let topics: Topics
    private var destinations: [String: Topics.Destination?] = [:]
    private var pacer = Pacer<String, IncomingMessage>()

    init(_ topics: Topics) { self.topics = topics }

    /// Where a topic leads; the topics of commands come again and again.
    mutating func destination(of topic: String) -> Topics.Destination? {
        if let known = destinations[topic] { return known }
        let found = topics.destination(topic)
        if destinations.count >= Self.capacity { destinations = [:] }
        destinations[topic] = .some(found)
        return found
    }

    // MARK: Floods

    /// Whether Home Assistant says that it has started.
    static func isBirth(_ message: IncomingMessage) -> Bool { message.payload == Array("online".utf8) }

    /// Takes a message.
    ///
    /// - Parameter status: The topic of Home Assistant's status, if it is heard.
    /// - Returns: Whether the message is heard now. Else it waits in place of an older one, or a newer one waits; a single
    ///   one never does.
    mutating func take(_ message: IncomingMessage, status: String?, at now: Duration) -> Bool {
        guard let pace = pace(message, status) else { return true }
        return pacer.take(message, on: message.topic, pace, at: now) != nil
    }

    /// When the next message is heard that waits; nil if none does.
    var next: Duration? { pacer.next }

    /// Takes the messages whose time has come.
    mutating func due(at now: Duration) -> [IncomingMessage] { pacer.due(at: now) }

    /// How often messages of a topic are heard; nil for each one.
    private func pace(_ message: IncomingMessage, _ status: String?) -> Pace? {
        // Nothing follows from Home Assistant's going.
        if message.topic == status { return Self.isBirth(message) ? Self.announcing : nil }
        guard message.topic.hasSuffix("/connection") else { return nil }
        guard case .connection = topics.destination(message.topic), !isOwnClaim(message) else { return nil }
        return Self.claims
    }

    /// Whether it is the bridge's own claim, which MQTT 3.1.1 brings back: it must not take the place of another's.
    private func isOwnClaim(_ message: IncomingMessage) -> Bool {
        (try? JSON.Value(parsing: message.payload))?["bridge"]?.string == topics.bridge
    }
}
