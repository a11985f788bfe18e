package import DeviceKit

/// The commands that a device executes. Each is answered once. The cost per command does not depend on the number of
/// open commands.
package struct OpenCommands: Sendable {
    private struct Entry: Sendable {
        var id: CommandID
        /// The command; nil once it is answered.
        var command: PendingCommand?
        /// When the bridge answers the command, if the state machine has not done so.
        var deadline: Duration
    }

    /// The time after which the bridge answers a command that the state machine has not answered.
    package static let patience = Duration.seconds(30)

    /// The entries, sorted by command number, so that the oldest command is first. Answered commands at the front are
    /// removed, so the first entry is always unanswered.
    private var entries: ArraySlice<Entry> = []
    private var last: UInt64 = 0
    private var isReviewArranged = false

    package private(set) var count = 0

    /// All unanswered commands, oldest first.
    package var ids: [CommandID] { entries.lazy.filter { $0.command != nil }.map(\.id) }

    /// Adds a command with a new id.
    package mutating func open(_ command: PendingCommand, at now: Duration) -> CommandID {
        last += 1
        count += 1
        let id = CommandID(last, arrival: command.request.arrival)
        entries.append(Entry(id: id, command: command, deadline: now + Self.patience))
        return id
    }

    /// Removes and returns a command to be answered; nil if it was already answered.
    package mutating func close(_ id: CommandID) -> PendingCommand? {
        guard let place = place(of: id), let command = entries[place].command else { return nil }
        count -= 1
        entries[place].command = nil
        while let first = entries.first, first.command == nil { entries.removeFirst() }
        // Frees the memory: a slice keeps the storage of its removed elements.
        if entries.isEmpty { entries = [] }
        return command
    }

    /// Returns the index of a command in ``entries``, by binary search.
    private func place(of id: CommandID) -> Int? {
        var (low, high) = (entries.startIndex, entries.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].id.number < id.number { low = middle + 1 } else { high = middle }
        }
        return low < entries.endIndex && entries[low].id == id ? low : nil
    }

    // MARK: Overdue commands

    /// Returns when to check for overdue commands. One check covers all commands, and an earlier answer does not change
    /// the time of the check.
    ///
    /// - Returns: Nil if a check is scheduled, or no command is open.
    package mutating func nextReview() -> Duration? {
        guard !isReviewArranged, let oldest = entries.first else { return nil }
        isReviewArranged = true
        return oldest.deadline
    }

    /// Checks for overdue commands.
    ///
    /// - Returns: The overdue commands, oldest first.
    package mutating func review(at now: Duration) -> [CommandID] {
        isReviewArranged = false
        return entries.prefix { $0.deadline <= now }.filter { $0.command != nil }.map(\.id)
    }
}
