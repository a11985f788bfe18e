package import DeviceKit

/// The commands that a device works on, each to be answered once. The cost of one does not depend on their number.
package struct OpenCommands: Sendable {
    private struct Entry: Sendable {
        var id: CommandID
        /// Nil since it was answered.
        var command: PendingCommand?
        /// When it is answered at the latest.
        var deadline: Duration
    }

    /// How long a state machine may take before the command is answered for it.
    package static let patience = Duration.seconds(30)

    /// The oldest first, by their numbers, which go up; the first one is not answered.
    private var entries: ArraySlice<Entry> = []
    private var last: UInt64 = 0
    private var isReviewArranged = false

    package private(set) var count = 0

    /// All of them, the oldest first.
    package var ids: [CommandID] { entries.lazy.filter { $0.command != nil }.map(\.id) }

    /// Adds a command under an id of its own.
    package mutating func open(_ command: PendingCommand, at now: Duration) -> CommandID {
        last += 1
        count += 1
        let id = CommandID(last, arrival: command.request.arrival)
        entries.append(Entry(id: id, command: command, deadline: now + Self.patience))
        return id
    }

    /// Takes a command to answer it; nil if it was answered before.
    package mutating func close(_ id: CommandID) -> PendingCommand? {
        guard let place = place(of: id), let command = entries[place].command else { return nil }
        count -= 1
        entries[place].command = nil
        while let first = entries.first, first.command == nil { entries.removeFirst() }
        // A slice keeps the room of what was before it.
        if entries.isEmpty { entries = [] }
        return command
    }

    /// Where a command is, found by halves.
    private func place(of id: CommandID) -> Int? {
        var (low, high) = (entries.startIndex, entries.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].id.number < id.number { low = middle + 1 } else { high = middle }
        }
        return low < entries.endIndex && entries[low].id == id ? low : nil
    }

    // MARK: Patience

    /// When to look which commands have waited for too long. One look serves all: what is answered before leaves it as
    /// it is.
    ///
    /// - Returns: Nil if that is arranged, or nothing waits.
    package mutating func nextReview() -> Duration? {
        guard !isReviewArranged, let oldest = entries.first else { return nil }
        isReviewArranged = true
        return oldest.deadline
    }

    /// The time has come to look.
    ///
    /// - Returns: Those that have waited for too long, the oldest first.
    package mutating func review(at now: Duration) -> [CommandID] {
        isReviewArranged = false
        return entries.prefix { $0.deadline <= now }.filter { $0.command != nil }.map(\.id)
    }
}
