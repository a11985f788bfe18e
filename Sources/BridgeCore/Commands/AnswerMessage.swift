import DeviceKit
import JSON

/// Writes the answer to a command or a request, as every sender gets it.
struct AnswerMessage: Sendable {
    /// What was asked: `feature` and its name, or `request` and its name.
    var subject: (key: String, name: String)
    /// How it ended.
    var answer: Answer
    /// What is said however it ended.
    var details = JSON.Object()
    /// The sender's `id`.
    var id: JSON.Value?
    /// How long it took.
    var elapsed: Duration
    /// The moment.
    var date: TimeStamp

    var object: JSON.Object {
        var object = JSON.Object()
        object.reserveCapacity(8)
        object.append(new: subject.key, .string(subject.name))
        object.append(answer, elapsed: elapsed)
        for member in details.members { object[member.key] = member.value }
        if let id { object["id"] = id }
        object["time"] = .string(date.description)
        return object
    }
}

extension JSON.Object {
    /// Adds how a command ended, and how long that took if it went well; nothing of it may be there yet.
    mutating func append(_ answer: Answer, elapsed: Duration) {
        switch answer {
        case .ok(let details):
            append(new: "status", "ok")
            append(new: "elapsed_ms", .integer(elapsed.milliseconds))
            for member in details.members { self[member.key] = member.value }
        case .failed(let error):
            append(new: "status", "error")
            append(new: "code", .string(error.code.rawValue))
            append(new: "message", .string(error.message))
            if let reason = error.reason { append(new: "reason", .string(reason.rawValue)) }
        }
    }
}

extension Duration {
    /// Whole nanoseconds, rounded down.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded down.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
