import DeviceKit
import JSON

/// Writes the answer to a command or a request, as every sender gets it.
struct AnswerMessage: Sendable {
    /// What was asked: `feature` and its name, or `request` and its name.
    var subject: (key: String, name: String)
    /// How it ended.
    var answer: Answer
    /// The sender's `id`.
    var id: JSON.Value?
    /// How long it took.
    var elapsed: Duration
    /// The moment.
    var date: TimeStamp

    /// The answer as an object.
    var object: JSON.Object {
        var object: JSON.Object = [subject.key: .string(subject.name)]
        switch answer {
        case .ok(let details):
            object["status"] = "ok"
            object["elapsed_ms"] = .integer(elapsed.milliseconds)
            for member in details.members { object[member.key] = member.value }
        case .failed(let error):
            object["status"] = "error"
            object["code"] = .string(error.code.rawValue)
            object["message"] = .string(error.message)
        }
        if let id { object["id"] = id }
        object["time"] = .string(date.description)
        return object
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int { Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }
}
