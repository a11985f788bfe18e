package import DeviceKit
package import JSON

/// The answer to a command or a request, in the format that every sender receives.
package struct AnswerMessage: Sendable {
    /// The subject: `feature` and its name, or `request` and its name.
    package var subject: (key: String, name: String)
    package var answer: Answer
    /// Members of the JSON object that a success and a failure both include.
    package var details = JSON.Object()
    package var id: JSON.Value?
    /// The time from the arrival of the command or request to its answer.
    package var elapsed: Duration
    /// The time of the answer.
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
    /// Adds the status of a command, and the elapsed time of a success. None of these keys may exist yet.
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
            if !error.refused.isEmpty { append(new: "refused", .object(error.refused)) }
        }
    }
}

extension Duration {
    /// The duration in whole nanoseconds, rounded down.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The duration in whole milliseconds, rounded down.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
