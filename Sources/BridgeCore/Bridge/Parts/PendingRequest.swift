import DeviceKit
import JSON
import Messages

/// A request on its way to its answer.
struct PendingRequest: Sendable {
    var request: CommandRequest
    /// The sender's `id`.
    var id: JSON.Value?

    /// The answer as the sender gets it.
    func message(_ answer: Answer, at now: Duration, date: TimeStamp, _ topics: Topics) -> OutgoingMessage {
        let message = AnswerMessage(
            subject: ("request", request.feature), answer: answer, id: id, elapsed: now - request.arrival,
            date: date)
        return request.message(message.object, usually: topics.response(request.feature), sequence: nil)
    }
}
