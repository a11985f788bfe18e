import HomeAssistant
import JSON
import Messages

// What others say of themselves may come in floods, and each word makes the bridge say a lot: of states the newest is
// heard, so often and not more often.
extension Bridge {
    /// What waits to be heard.
    struct Pacing: Sendable {
        var pacer = Pacer<String, IncomingMessage>()
        /// Whether what waited is being heard.
        var isDue = false
    }

    /// How often all announcements are said again.
    private static let announcing = Pacer<String, IncomingMessage>.Pace(interval: .seconds(1))
    /// How often the claims of others are heard on one topic: all that two bridges have to say to each other at once.
    private static let claims = Pacer<String, IncomingMessage>.Pace(burst: 8, interval: .milliseconds(250))

    /// Whether a message waits, or was overtaken by a newer one that does; a single one never does.
    func waits(_ message: IncomingMessage) -> Bool {
        guard !pacing.isDue, let pace = pace(message), !isOwnClaim(message) else { return false }
        let taken = pacing.pacer.take(message, on: message.topic, pace, at: world.time.now)
        armPacing()
        return taken == nil
    }

    /// How often messages of a topic are heard; nil for however often they come.
    private func pace(_ message: IncomingMessage) -> Pacer<String, IncomingMessage>.Pace? {
        let topic = message.topic
        // Nothing follows from Home Assistant's going.
        if topic == settings.homeAssistant?.statusTopic { return isBirth(message) ? Self.announcing : nil }
        guard topic.hasSuffix("/connection"), case .connection = topics.destination(topic) else { return nil }
        return Self.claims
    }

    /// Whether Home Assistant says that it has started.
    func isBirth(_ message: IncomingMessage) -> Bool { message.payload == Array("online".utf8) }

    /// Whether it is the bridge's own word, which MQTT 3.1.1 brings back: it must not take the place of another's.
    private func isOwnClaim(_ message: IncomingMessage) -> Bool {
        guard message.topic != settings.homeAssistant?.statusTopic else { return false }
        return (try? JSON.Value(parsing: message.payload))?["bridge"]?.string == settings.id
    }

    private func armPacing() {
        if let next = pacing.pacer.next { startTimer(.pacing, at: next) }
    }

    func routeDelayed() {
        pacing.isDue = true
        for message in pacing.pacer.due(at: world.time.now) { route(message) }
        pacing.isDue = false
        armPacing()
    }
}
