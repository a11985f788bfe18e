import DeviceKit

/// The commands that a device works on, each to be answered once.
struct OpenCommands: Sendable {
    private struct Entry: Sendable {
        var id: CommandID
        var command: PendingCommand
        /// When it is answered at the latest.
        var deadline: Duration
    }

    /// How long a state machine may take before the command is answered for it.
    static let patience = Duration.seconds(30)

    /// The oldest first: few are open at a time, and mostly the oldest is answered.
    private var entries: [Entry] = []
    private var last: UInt64 = 0
    private var isReviewArranged = false

    var count: Int { entries.count }

    /// All of them, the oldest first.
    var ids: [CommandID] { entries.map(\.id) }

    /// Adds a command under an id of its own.
    mutating func open(_ command: PendingCommand, at now: Duration) -> CommandID {
        last += 1
        let id = CommandID(last, arrival: command.request.arrival)
        entries.append(Entry(id: id, command: command, deadline: now + Self.patience))
        return id
    }

    /// Takes a command to answer it; nil if it was answered before.
    mutating func close(_ id: CommandID) -> PendingCommand? {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: place).command
    }

    // MARK: Patience

    /// When to look which commands have waited for too long. One look serves all: what is answered before leaves it as
    /// it is.
    ///
    /// - Returns: Nil if that is arranged, or nothing waits.
    mutating func nextReview() -> Duration? {
        guard !isReviewArranged, let oldest = entries.first else { return nil }
        isReviewArranged = true
        return oldest.deadline
    }

    /// The time has come to look.
    ///
    /// - Returns: Those that have waited for too long, the oldest first.
    mutating func review(at now: Duration) -> [CommandID] {
        isReviewArranged = false
        return entries.prefix { $0.deadline <= now }.map(\.id)
    }
}
