package import BridgeContract
package import DeviceKit
package import JSON
package import Messages

/// A request that waits for its answer.
package struct PendingRequest: Sendable {
    package var request: CommandRequest
    package var id: JSON.Value?
    /// The id of this bridge, which the answer contains if several bridges answer the request.
    package var bridge: String?

    package init(request: CommandRequest, id: JSON.Value? = nil, bridge: String? = nil) {
        self.request = request
        self.id = id
        self.bridge = bridge
    }

    /// Returns the answer in the sender's format.
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
