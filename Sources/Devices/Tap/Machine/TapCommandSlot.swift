import DeviceKit

/// What waits to be written to the UART service, in order.
///
/// The firmware keeps a command that it received in one place until a task of low priority takes it; 50 ms between
/// two were found too short, and 200 ms are used (tap-python-sdk). So one is written at a time, with a pause behind
/// it.
struct TapCommandSlot: Sendable {
    /// One command to come, and why.
    enum Entry: Hashable, Sendable {
        /// A user's command.
        case asked(TapInputCommand, CommandID)
        /// A default that replaces what holds.
        case `default`(TapInputCommand)
        /// Leaves raw mode, so that it can be entered with other sensitivities.
        case leaveRaw
        /// The input mode in force, again.
        case refreshMode
        /// The TapXR's state in force, again.
        case refreshXR
        /// What is written before the link is closed.
        case lastWord(TapInputCommand)
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

    private(set) var waiting = WaitingLine<Entry>(limit: limit)
    private(set) var underWay: Entry?
    private var pacer = WritePacer(pause, from: .end)

    /// Whether nothing waits or is under way.
    var isEmpty: Bool { waiting.isEmpty && underWay == nil }

    /// The newest input mode that was asked for and is not in force yet.
    var newest: TapInputCommand? {
        let all = (underWay.map { [$0] } ?? []) + waiting.elements
        return all.reversed().lazy.compactMap { entry in
            switch entry {
            case .asked(let command, _), .default(let command): command.mode == nil ? nil : command
            case .leaveRaw, .refreshMode, .refreshXR, .lastWord, .forgotten: nil
            }
        }.first
    }

    /// Puts an entry at the end. A refresh that waits already is not put there twice.
    mutating func add(_ entry: Entry) {
        if entry == .refreshMode || entry == .refreshXR, waiting.elements.contains(entry) { return }
        waiting.append(entry)
    }

    /// Takes the next one out, if it may be written now; to be told by ``finish(at:)`` that it was.
    mutating func next(at now: Duration) -> Entry? {
        guard pacer.delay(at: now) == .zero, let entry = waiting.next() else { return nil }
        pacer.begin(at: now)
        underWay = entry
        return entry
    }

    /// How long to wait before looking again; nil if nothing waits, or for a write's end.
    func delay(at now: Duration) -> Duration? { waiting.isEmpty ? nil : pacer.delay(at: now) }

    /// The write that is under way is done, well or badly.
    mutating func finish(at now: Duration) -> Entry? {
        defer { underWay = nil }
        pacer.end(at: now)
        return underWay
    }

    /// Empties the slot; a write that is under way stays so, but means nothing any more.
    ///
    /// - Returns: The commands that are to be answered.
    mutating func clear() -> [CommandID] {
        let all = (underWay.map { [$0] } ?? []) + waiting.remove { _ in true }
        if underWay != nil { underWay = .forgotten }
        return all.compactMap(\.command)
    }
}
