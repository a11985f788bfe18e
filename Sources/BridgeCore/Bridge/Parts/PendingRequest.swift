import BridgeContract
import DeviceKit
import JSON
import Messages

/// A request on its way to its answer.
struct PendingRequest: Sendable {
    var request: CommandRequest
    /// The sender's `id`.
    var id: JSON.Value?
    /// The bridge that answers, where others do too.
    var bridge: String?

    /// The answer as the sender gets it.
    func message(_ answer: Answer, at now: Duration, date: TimeStamp, _ topics: Topics) -> OutgoingMessage {
        let message = AnswerMessage(
            subject: ("request", request.feature), answer: answer,
            details: bridge.map { ["bridge": .string($0)] } ?? [:], id: id, elapsed: now - request.arrival,
            date: date)
        return request.message(message.object, usually: topics.response(request.feature), sequence: nil)
    }
}
