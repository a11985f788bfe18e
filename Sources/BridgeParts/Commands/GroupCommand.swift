package import DeviceKit
import JSON

/// A command to a group, and what its members have answered so far.
package struct GroupCommand: Sendable {
    /// What became of one member.
    private struct Entry: Sendable {
        var device: String
        var answer: Answer?
        var elapsed = Duration.zero
        var isOpen = true
    }

    /// The group's name.
    package let group: String
    /// The command as it arrived.
    package let request: CommandRequest
    /// Whether a success is worth no message to a sender who did not ask for one.
    package var isQuiet = false
    /// Whether a member that is away leaves the whole well: it has nothing that could be stopped.
    package var isStop = false
    /// Whether it is answered although no member is this bridge's.
    package var isAlwaysAnswered = false

    private var entries: [Entry]

    /// - Parameter devices: The names of the members, in the order in which they are to be answered for.
    package init(group: String, request: CommandRequest, devices: [String]) {
        self.group = group
        self.request = request
        entries = devices.map { Entry(device: $0) }
    }

    /// Whether every member has answered.
    package var isDone: Bool { entries.allSatisfy { !$0.isOpen } }

    /// Takes the answer of a member, the first one only; nil if another bridge answers for it.
    package mutating func take(_ answer: Answer?, of index: Int, at now: Duration) {
        guard entries.indices.contains(index), entries[index].isOpen else { return }
        entries[index].isOpen = false
        entries[index].answer = answer
        entries[index].elapsed = now - request.arrival
    }

    /// The combined answer; nil if there is no member to answer for, or nothing worth a message.
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
