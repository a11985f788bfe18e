package import DeviceKit
package import Messages

/// The group commands that wait for answers of members, and the sequence numbers of the groups' results.
package struct GroupCommands: Sendable {
    /// The topic filters that the bridge subscribes to for commands to groups.
    package var filters: Set<TopicFilter> = []
    private var open: [Int: GroupCommand] = [:]
    private var count = 0
    private var sequences: [String: Int] = [:]

    package init() {}

    /// Adds a command.
    ///
    /// - Returns: The number of the command, which the answers of the members refer to.
    package mutating func begin(_ command: GroupCommand) -> Int {
        count += 1
        open[count] = command
        return count
    }

    /// Records the answer of a member. The answer is nil if another bridge answers for this member.
    package mutating func take(_ answer: Answer?, of member: Int, in number: Int, at now: Duration) {
        open[number]?.take(answer, of: member, at: now)
    }

    /// Removes and returns a command that every member has answered; nil if answers are missing, or the command was
    /// already removed.
    package mutating func finish(_ number: Int) -> GroupCommand? {
        guard open[number]?.isDone ?? false else { return nil }
        return open.removeValue(forKey: number)
    }

    /// The sequence number of a group's result. An answer to a topic that the sender chose does not increment the
    /// number.
    package mutating func number(of request: CommandRequest, to group: String) -> Int? {
        sequences[group, default: 0] += request.responseTopic == nil ? 1 : 0
        return sequences[group]
    }
}
