package import DeviceKit
package import JSON

/// Writes the answer to a command or a request, as every sender gets it.
package struct AnswerMessage: Sendable {
    /// What was asked: `feature` and its name, or `request` and its name.
    package var subject: (key: String, name: String)
    /// How it ended.
    package var answer: Answer
    /// What is said however it ended.
    package var details = JSON.Object()
    /// The sender's `id`.
    package var id: JSON.Value?
    /// How long it took.
    package var elapsed: Duration
    /// The moment.
    package var date: TimeStamp

    package init(
        subject: (key: String, name: String), answer: Answer, details: JSON.Object = JSON.Object(),
        id: JSON.Value? = nil, elapsed: Duration, date: TimeStamp
    ) {
        self.subject = subject
        self.answer = answer
        self.details = details
        self.id = id
        self.elapsed = elapsed
        self.date = date
    }

    package var object: JSON.Object {
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
    package mutating func append(_ answer: Answer, elapsed: Duration) {
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
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded down.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
