/// The commands of a device that wait until it is known which bridge speaks for it.
package struct WaitingCommands: Sendable {
    package struct Entry: Sendable {
        package var request: CommandRequest
        /// Whether a stop of the whole device came after it.
        package var isVoid: Bool
    }

    /// How many commands may wait.
    package static let capacity = 256
    /// How many more are remembered to be answered.
    package static let surplusCapacity = 10_000

    private var waiting: [CommandRequest] = []
    private var voidCount = 0
    private var surplus: [PendingCommand] = []

    /// Adds a command. Of too many, only what its answer needs is remembered; a stop takes the place of the oldest.
    ///
    /// - Returns: A command that is left out: too many are remembered already.
    package mutating func add(_ request: CommandRequest, isStop: Bool) -> CommandRequest? {
        var left: CommandRequest?
        if waiting.count >= Self.capacity, isStop {
            // Of that many that wait, those before a stop would be dropped anyway.
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

    /// A stop of the whole device came: what waits now is void.
    package mutating func stopped() { voidCount = waiting.count }

    /// Takes all that waits, in order.
    package mutating func take() -> [Entry] {
        defer { (waiting, voidCount) = ([], 0) }
        return waiting.enumerated().map { Entry(request: $1, isVoid: $0 < voidCount) }
    }

    /// Takes those that found too many waiting, in order and without their payloads.
    package mutating func takeSurplus() -> [PendingCommand] {
        defer { surplus = [] }
        return surplus
    }
}
