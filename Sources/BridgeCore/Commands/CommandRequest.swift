import DeviceKit
import JSON

/// A command as it arrived, with what its answer needs.
struct CommandRequest: Sendable {
    /// The feature's name as the topic has it.
    var feature: String
    /// The payload.
    var payload: [UInt8]
    /// Whether the broker had it in store.
    var isRetained: Bool
    /// Where the sender wants the answer.
    var responseTopic: String?
    /// What the sender wants to be given back.
    var correlation: [UInt8]?
    /// Until when it is valid, on the monotonic clock, by the message's own expiry.
    var validUntil: Duration?
    /// When it arrived, on the monotonic clock.
    var arrival: Duration

    init(_ message: IncomingMessage, feature: String) {
        self.feature = feature
        payload = message.payload
        isRetained = message.isRetained
        // Nothing can be published to a filter.
        responseTopic = message.responseTopic.flatMap { topic in
            topic.isEmpty || topic.utf8.contains { "#+\0".utf8.contains($0) } ? nil : topic
        }
        correlation = message.correlation
        validUntil = message.expirySeconds.map { message.arrival + .seconds(Int64($0)) }
        arrival = message.arrival
    }
}

/// A command that a device works on and that is not answered yet.
struct PendingCommand: Sendable {
    /// The command as it arrived.
    var request: CommandRequest
    /// The sender's `id`.
    var id: JSON.Value?
    /// Whether success is worth a message to everyone: not for features that only the newest value counts of.
    var isQuiet: Bool
}
