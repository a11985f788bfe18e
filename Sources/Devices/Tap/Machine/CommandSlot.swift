import DeviceKit

/// What waits to be written to the UART service, in order.
///
/// The firmware keeps a command that it received in one place until a task of low priority takes it; 50 ms between
/// two were found too short, and 200 ms are used (tap-python-sdk). So one is written at a time, with a pause behind
/// it.
struct CommandSlot: Sendable {
    /// One command to come, and why.
    enum Entry: Hashable, Sendable {
        /// A user's command.
        case asked(InputCommand, CommandID)
        /// Leaves raw mode, so that it can be entered with other sensitivities.
        case leaveRaw
        /// The input mode in force, again.
        case refreshMode
        /// The TapXR's state in force, again.
        case refreshXR
        /// What is written before the link is closed.
        case lastWord(InputCommand)
        /// Under way for a command that was answered already.
        case forgotten

        /// The command's identifier, where it is to be answered.
        var command: CommandID? {
            if case .asked(_, let id) = self { id } else { nil }
        }
    }

    /// Between the end of one write and the begin of the next.
    static let pause = Duration.milliseconds(200)
    /// How many may wait: so many take less time than a command may wait for its answer.
    static let limit = 64

    private(set) var waiting: [Entry] = []
    private(set) var underWay: Entry?
    /// Before this moment nothing is written.
    private var free = Duration.zero

    var isFull: Bool { waiting.count >= Self.limit }
    /// Whether nothing waits or is under way.
    var isEmpty: Bool { waiting.isEmpty && underWay == nil }

    /// The newest input mode that was asked for and is not in force yet.
    var newest: InputCommand? {
        let all = (underWay.map { [$0] } ?? []) + waiting
        return all.reversed().lazy.compactMap { entry in
            if case .asked(let command, _) = entry, command.mode != nil { command } else { nil }
        }.first
    }

    /// Puts an entry at the end. A refresh that waits already is not put there twice.
    mutating func add(_ entry: Entry) {
        if entry == .refreshMode || entry == .refreshXR, waiting.contains(entry) { return }
        waiting.append(entry)
    }

    /// Takes the next one out, if it may be written now; to be told by ``finish(at:)`` that it was.
    mutating func next(at now: Duration) -> Entry? {
        guard underWay == nil, now >= free, !waiting.isEmpty else { return nil }
        underWay = waiting.removeFirst()
        return underWay
    }

    /// When to look again; nil if nothing waits, or for a write's end.
    var moment: Duration? { underWay == nil && !waiting.isEmpty ? free : nil }

    /// The write that is under way is done, well or badly.
    mutating func finish(at now: Duration) -> Entry? {
        defer { underWay = nil }
        free = now + Self.pause
        return underWay
    }

    /// Empties the slot; a write that is under way stays so, but means nothing any more.
    ///
    /// - Returns: The commands that are to be answered.
    mutating func clear() -> [CommandID] {
        let commands = ((underWay.map { [$0] } ?? []) + waiting).compactMap(\.command)
        waiting = []
        if underWay != nil { underWay = .forgotten }
        return commands
    }
}
