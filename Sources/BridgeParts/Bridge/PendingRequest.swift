package import BridgeContract
package import DeviceKit
package import JSON
package import Messages

/// A request on its way to its answer.
package struct PendingRequest: Sendable {
    package var request: CommandRequest
    /// The sender's `id`.
    package var id: JSON.Value?
    /// The bridge that answers, where others do too.
    package var bridge: String?

    package init(request: CommandRequest, id: JSON.Value? = nil, bridge: String? = nil) {
        self.request = request
        self.id = id
        self.bridge = bridge
    }

    /// The answer as the sender gets it.
    package func message(_ answer: Answer, at now: Duration, date: TimeStamp, _ topics: Topics)
        -> OutgoingMessage
    {
        let message = AnswerMessage(
            subject: ("request", request.feature), answer: answer,
            details: bridge.map { ["bridge": .string($0)] } ?? [:], id: id, elapsed: now - request.arrival,
            date: date)
        return request.message(message.object, usually: topics.response(request.feature), sequence: nil)
    }
}
