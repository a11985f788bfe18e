package import DeviceKit
package import JSON

package struct PendingCommand: Sendable {
    package var request: CommandRequest
    package var id: JSON.Value?
    /// Whether a success is published only if the sender asked for an answer. Set for features where only the newest
    /// value matters.
    package var isQuiet: Bool

    package init(request: CommandRequest, id: JSON.Value? = nil, isQuiet: Bool) {
        self.request = request
        self.id = id
        self.isQuiet = isQuiet
    }

    /// Creates a command that is refused before its payload is parsed.
    package init(refused request: CommandRequest) {
        self.init(request: request, id: CommandGate.id(of: request), isQuiet: false)
    }

    /// Returns the answer as an object; nil for a success that is not published.
    package func message(_ answer: Answer, after elapsed: Duration, at date: TimeStamp) -> JSON.Object? {
        if case .ok = answer, isQuiet, id == nil, request.responseTopic == nil { return nil }
        return AnswerMessage(
            subject: ("feature", request.feature), answer: answer, id: id, elapsed: elapsed, date: date
        ).object
    }
}
