package import DeviceKit
package import JSON

/// A command that is not answered yet.
package struct PendingCommand: Sendable {
    /// The command as it arrived.
    package var request: CommandRequest
    /// The sender's `id`.
    package var id: JSON.Value?
    /// Whether success is worth a message to everyone: not for features that only the newest value counts of.
    package var isQuiet: Bool

    package init(request: CommandRequest, id: JSON.Value? = nil, isQuiet: Bool) {
        self.request = request
        self.id = id
        self.isQuiet = isQuiet
    }

    /// One that is refused before its payload was parsed.
    package init(refused request: CommandRequest) {
        self.init(request: request, id: CommandGate.id(of: request), isQuiet: false)
    }

    /// The answer as an object; nil for a success that is worth no message.
    package func message(_ answer: Answer, after elapsed: Duration, at date: TimeStamp) -> JSON.Object? {
        if case .ok = answer, isQuiet, id == nil, request.responseTopic == nil { return nil }
        return AnswerMessage(
            subject: ("feature", request.feature), answer: answer, id: id, elapsed: elapsed, date: date
        ).object
    }
}
