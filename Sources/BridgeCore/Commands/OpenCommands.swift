import DeviceKit

/// The commands that a device works on, each to be answered once.
struct OpenCommands: Sendable {
    private var commands: [CommandID: PendingCommand] = [:]
    private var last: UInt64 = 0

    var count: Int { commands.count }

    /// All of them, the oldest first.
    var ids: [CommandID] { commands.keys.sorted { $0.number < $1.number } }

    /// Adds a command under an id of its own.
    mutating func open(_ command: PendingCommand) -> CommandID {
        last += 1
        let id = CommandID(last, arrival: command.request.arrival)
        commands[id] = command
        return id
    }

    /// Takes a command to answer it; nil if it was answered before.
    mutating func close(_ id: CommandID) -> PendingCommand? { commands.removeValue(forKey: id) }
}
