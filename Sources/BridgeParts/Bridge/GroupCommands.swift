package import DeviceKit
package import Messages

/// The commands to groups whose members have not all answered, and the numbers of the groups' results.
package struct GroupCommands: Sendable {
    /// What is subscribed for groups.
    package var filters: Set<TopicFilter> = []
    private var open: [Int: GroupCommand] = [:]
    private var count = 0
    private var sequences: [String: Int] = [:]

    package init() {}

    /// Adds a command.
    ///
    /// - Returns: The number under which its members answer.
    package mutating func begin(_ command: GroupCommand) -> Int {
        count += 1
        open[count] = command
        return count
    }

    /// Takes the answer of a member; nil if another bridge answers for it.
    package mutating func take(_ answer: Answer?, of member: Int, in number: Int, at now: Duration) {
        open[number]?.take(answer, of: member, at: now)
    }

    /// Takes a command out of which every member has answered; nil if one has not, or it was taken before.
    package mutating func finish(_ number: Int) -> GroupCommand? {
        guard open[number]?.isDone ?? false else { return nil }
        return open.removeValue(forKey: number)
    }

    /// The number of a result of a group. An answer to a topic that the sender chose has none of its own.
    package mutating func number(of request: CommandRequest, to group: String) -> Int? {
        sequences[group, default: 0] += request.responseTopic == nil ? 1 : 0
        return sequences[group]
    }
}
