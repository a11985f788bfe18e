package import DeviceKit
import JSON

/// A command to a group, and the answers of its members so far.
package struct GroupCommand: Sendable {
    /// A member of the group, with its answer.
    private struct Entry: Sendable {
        var device: String
        var answer: Answer?
        var elapsed = Duration.zero
        var isOpen = true
    }

    package let group: String
    package let request: CommandRequest
    /// Whether a success is not published, unless the sender asked for an answer.
    package var isQuiet = false
    /// Whether the command is a stop. An offline member is then no failure, because it has nothing to stop.
    package var isStop = false
    /// Whether the command is answered even if this bridge owns no member.
    package var isAlwaysAnswered = false

    private var entries: [Entry]

    /// - Parameter devices: The names of the members, in the order of the answer.
    package init(group: String, request: CommandRequest, devices: [String]) {
        self.group = group
        self.request = request
        entries = devices.map { Entry(device: $0) }
    }

    package var isDone: Bool { entries.allSatisfy { !$0.isOpen } }

    /// Records the first answer of a member. The answer is nil if another bridge answers for this member.
    package mutating func take(_ answer: Answer?, of index: Int, at now: Duration) {
        guard entries.indices.contains(index), entries[index].isOpen else { return }
        entries[index].isOpen = false
        entries[index].answer = answer
        entries[index].elapsed = now - request.arrival
    }

    /// The combined answer. Nil if other bridges answer for all members, or if a success is not published
    /// (``isQuiet``).
    package func message(bridge: String, at now: Duration, _ date: TimeStamp) -> AnswerMessage? {
        let answered = entries.filter { $0.answer != nil }
        guard !answered.isEmpty || isAlwaysAnswered else { return nil }
        let id = CommandGate.id(of: request)
        let failed = answered.compactMap { entry -> (device: String, error: CommandError)? in
            guard case .failed(let error) = entry.answer, !(isStop && error.code == .deviceOffline) else {
                return nil
            }
            return (entry.device, error)
        }
        if failed.isEmpty, isQuiet, id == nil, request.responseTopic == nil { return nil }
        let answer =
            failed.first.map { first in
                Answer.failed(
                    CommandError(
                        first.error.code,
                        "\(failed.count) of \(answered.count) members: \(failed.map(\.device).joined(separator: " "))",
                        reason: first.error.reason))
            } ?? (answered.contains { $0.answer?.isUnconfirmed == true } ? .unconfirmed : .ok)
        return AnswerMessage(
            subject: ("feature", request.feature), answer: answer,
            details: ["bridge": .string(bridge), "members": .array(answered.map(Self.value))], id: id,
            elapsed: now - request.arrival, date: date)
    }

    private static func value(_ entry: Entry) -> JSON.Value {
        var object: JSON.Object = ["device": .string(entry.device)]
        if let answer = entry.answer { object.append(answer, elapsed: entry.elapsed) }
        return .object(object)
    }
}
