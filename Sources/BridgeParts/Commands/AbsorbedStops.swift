package import DeviceKit

/// Stops that share the answer of another stop. The other stop was being executed when these stops arrived, and no
/// input that could move the device had arrived in between.
package struct AbsorbedStops: Sendable {
    /// The newest stop that was executed. Later stops share its answer until an input arrives that may move the device.
    private struct Leader: Sendable {
        let id: CommandID
        let feature: String
        let arguments: Arguments
    }

    private var leader: Leader?
    private var followers: [UInt64: [PendingCommand]] = [:]

    /// Starts to execute a stop. Later stops with the same feature and arguments share its answer.
    package mutating func begin(_ id: CommandID, _ feature: String, _ arguments: Arguments) {
        leader = Leader(id: id, feature: feature, arguments: arguments)
    }

    /// Records an input of the state machine. After an input that may move the device, the next stop is executed
    /// itself.
    package mutating func note(_ input: Input) {
        guard let leader else { return }
        switch input {
        case .writeCompleted, .latchKept, .stop: break
        case .command(leader.id, _, _): break
        default: self.leader = nil
        }
    }

    /// Tries to let a stop share the answer of the current stop.
    ///
    /// - Returns: The stop whose answer it shares; nil if the new stop must be executed itself.
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

    /// Records that a command was answered.
    ///
    /// - Returns: The stops that receive the same answer.
    package mutating func end(_ id: CommandID) -> [PendingCommand] {
        if leader?.id == id { leader = nil }
        return followers.isEmpty ? [] : followers.removeValue(forKey: id.number) ?? []
    }
}
