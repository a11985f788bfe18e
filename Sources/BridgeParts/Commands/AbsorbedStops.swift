package import DeviceKit

/// Stops that share the answer of another stop: that one was being carried out when they arrived, and no input that could
/// move the device had come since.
package struct AbsorbedStops: Sendable {
    /// The newest stop, while it absorbs others.
    private struct Leader: Sendable {
        let id: CommandID
        let feature: String
        let arguments: Arguments
    }

    private var leader: Leader?
    private var followers: [UInt64: [PendingCommand]] = [:]

    /// Lets a stop absorb those alike from now on.
    package mutating func begin(_ id: CommandID, _ feature: String, _ arguments: Arguments) {
        leader = Leader(id: id, feature: feature, arguments: arguments)
    }

    /// Notes an input of the state machine: after an input that may move the device, the next stop is carried out.
    package mutating func note(_ input: Input) {
        guard let leader else { return }
        switch input {
        case .writeCompleted, .latchKept, .stop: break
        case .command(leader.id, _, _): break
        default: self.leader = nil
        }
    }

    /// Absorbs a stop.
    ///
    /// - Returns: The stop that it is answered with; nil if it is to be carried out itself.
    package mutating func absorb(_ command: PendingCommand, _ feature: String, _ arguments: Arguments)
        -> CommandID?
    {
        guard let leader, leader.feature == feature, leader.arguments == arguments else { return nil }
        if !command.request.isCopy {
            var command = command
            (command.request.topic, command.request.payload) = ("", [])
            followers[leader.id.number, default: []].append(command)
        }
        return leader.id
    }

    /// A command was answered.
    ///
    /// - Returns: The stops that get the same answer.
    package mutating func end(_ id: CommandID) -> [PendingCommand] {
        if leader?.id == id { leader = nil }
        return followers.isEmpty ? [] : followers.removeValue(forKey: id.number) ?? []
    }
}
