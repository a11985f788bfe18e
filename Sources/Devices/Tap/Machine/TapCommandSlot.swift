import DeviceKit

/// The queue of mode commands, which are written to the TAP's UART service.
///
/// The firmware stores a received command in a single buffer until a low-priority task processes it. A pause of 50 ms
/// between two commands was found to be too short; tap-python-sdk uses 200 ms. Commands are therefore written one at
/// a time, each followed by a pause.
struct TapCommandSlot: Sendable {
    /// A queued write, by its reason.
    enum Entry: Hashable, Sendable {
        /// Writes a command of the user.
        case asked(TapInputCommand, CommandID)
        /// Sets the default state, because no command has set the state or the default has changed.
        case `default`(TapInputCommand)
        /// Leaves raw mode, so that the TAP can enter raw mode again with other sensitivities.
        case leaveRaw
        /// Repeats the current input mode.
        case refreshMode
        /// Repeats the current TapXR state.
        case refreshXR
        /// A last write before the link is closed.
        case lastWord(TapInputCommand)
        /// A write in progress whose command is already answered.
        case forgotten

        /// The identifier of the command, if it must be answered.
        var command: CommandID? {
            if case .asked(_, let id) = self { id } else { nil }
        }
    }

    /// The time between the end of a write and the start of the next.
    static let pause = Duration.milliseconds(200)
    /// The maximum number of entries in the queue: as many as can be written within the time limit for an answer.
    static let limit = 64

    private(set) var waiting = WaitingLine<Entry>(limit: limit)
    private(set) var underWay: Entry?
    private var pacer = WritePacer(pause, from: .end)

    /// Whether no write is queued or in progress.
    var isEmpty: Bool { waiting.isEmpty && underWay == nil }

    /// The newest requested input mode that is not in effect yet.
    var newest: TapInputCommand? {
        let all = (underWay.map { [$0] } ?? []) + waiting.elements
        return all.reversed().lazy.compactMap { entry in
            switch entry {
            case .asked(let command, _), .default(let command): command.mode == nil ? nil : command
            case .leaveRaw, .refreshMode, .refreshXR, .lastWord, .forgotten: nil
            }
        }.first
    }

    /// Appends an entry. A refresh that is already queued is not added again.
    mutating func add(_ entry: Entry) {
        if entry == .refreshMode || entry == .refreshXR, waiting.elements.contains(entry) { return }
        waiting.append(entry)
    }

    /// Removes and returns the next entry if it can be written now. ``finish(at:)`` must follow.
    mutating func next(at now: Duration) -> Entry? {
        guard pacer.delay(at: now) == .zero, let entry = waiting.next() else { return nil }
        pacer.begin(at: now)
        underWay = entry
        return entry
    }

    /// Returns the time until the next entry can be written; nil if nothing is queued, or a write is in progress.
    func delay(at now: Duration) -> Duration? { waiting.isEmpty ? nil : pacer.delay(at: now) }

    /// Ends the write in progress, whether it succeeded or not.
    mutating func finish(at now: Duration) -> Entry? {
        defer { underWay = nil }
        pacer.end(at: now)
        return underWay
    }

    /// Empties the queue. A write in progress continues, but its result is ignored.
    ///
    /// - Returns: The commands to answer.
    mutating func clear() -> [CommandID] {
        let all = (underWay.map { [$0] } ?? []) + waiting.remove { _ in true }
        if underWay != nil { underWay = .forgotten }
        return all.compactMap(\.command)
    }
}
