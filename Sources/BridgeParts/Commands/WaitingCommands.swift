/// The commands of a device that wait until the owner of its topics is known.
package struct WaitingCommands: Sendable {
    package struct Entry: Sendable {
        package var request: CommandRequest
        /// Whether a stop of the whole device followed the command.
        package var isVoid: Bool
    }

    /// The maximum number of waiting commands that will be executed.
    package static let capacity = 256
    /// The maximum number of commands beyond ``capacity``. They are not executed, and are kept only so that they can be
    /// answered.
    package static let surplusCapacity = 10_000

    private var waiting: [CommandRequest] = []
    private var voidCount = 0
    private var surplus: [PendingCommand] = []

    /// Adds a command. If ``capacity`` commands already wait, the new command will not be executed, and only the data
    /// for its answer is kept. A stop instead takes the place of the oldest waiting command, and then only the data for
    /// the answer of that command is kept.
    ///
    /// - Returns: A command of which nothing is kept, because ``surplusCapacity`` is reached too.
    package mutating func add(_ request: CommandRequest, isStop: Bool) -> CommandRequest? {
        var left: CommandRequest?
        if waiting.count >= Self.capacity, isStop {
            // The oldest command arrived before this stop, and would be dropped anyway.
            left = putAside(waiting.removeFirst())
            voidCount = max(0, voidCount - 1)
        }
        guard waiting.count < Self.capacity else { return putAside(request) }
        waiting.append(request)
        return left
    }

    private mutating func putAside(_ request: CommandRequest) -> CommandRequest? {
        guard surplus.count < Self.surplusCapacity else { return request }
        var pending = PendingCommand(refused: request)
        pending.request.payload = []
        surplus.append(pending)
        return nil
    }

    /// Records a stop of the whole device: the commands that wait now are no longer executed.
    package mutating func stopped() { voidCount = waiting.count }

    /// Removes and returns all waiting commands, in order.
    package mutating func take() -> [Entry] {
        defer { (waiting, voidCount) = ([], 0) }
        return waiting.enumerated().map { Entry(request: $1, isVoid: $0 < voidCount) }
    }

    /// Removes and returns the commands beyond the capacity, in order and without their payloads.
    package mutating func takeSurplus() -> [PendingCommand] {
        defer { surplus = [] }
        return surplus
    }
}
