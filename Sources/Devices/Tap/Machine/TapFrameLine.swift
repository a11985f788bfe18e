import DeviceKit

/// What waits to be said to a TAP with the framed protocol, in order: several frames belong together, and the TAP answers
/// the questions among them before the next begin.
struct TapFrameLine: Sendable {
    /// Frames that belong together, and why they are written.
    struct Request: Hashable, Sendable {
        /// Why they are written.
        enum Purpose: Hashable, Sendable {
            /// What was wanted before the link was made, and what the TAP has besides.
            case setup
            /// A user's command; then the TAP must say what is asked for.
            case asked(CommandID, Goal)
            /// What is written before the link is closed.
            case lastWord
        }

        /// What a command asks for.
        enum Goal: Hashable, Sendable {
            case sensing(TapSensing)
            case sensitivity(TapSensitivity)
            case standby(Bool)
        }

        var purpose: Purpose
        var commands: [TapFrameCommand]

        /// The command's identifier, where it is to be answered.
        var command: CommandID? {
            if case .asked(let id, _) = purpose { id } else { nil }
        }
    }

    /// How many may wait.
    static let limit = 64
    /// How long the TAP may take for its answers once the last question is written (tap-python-sdk).
    static let answerTime = Duration.seconds(2)

    private(set) var waiting = WaitingLine<Request>(limit: limit)
    private(set) var underWay: Request?
    /// How many frames of the request under way were written.
    private var written = 0
    /// Whether a frame is on its way.
    private var isWriting = false
    /// What the TAP was asked for and has not answered.
    private var unanswered: Set<TapFrameReport.Topic> = []

    /// Whether nothing waits or is under way.
    var isEmpty: Bool { waiting.isEmpty && underWay == nil && !isWriting }

    /// Puts a request at the end.
    mutating func add(_ request: Request) { waiting.append(request) }

    /// Takes the next frame out, if one may be written now.
    mutating func next() -> TapFrameCommand? {
        guard !isWriting else { return nil }
        if underWay == nil {
            underWay = waiting.next()
            written = 0
        }
        guard let request = underWay, written < request.commands.count else { return nil }
        let command = request.commands[written]
        isWriting = true
        written += 1
        if let topic = command.answer { unanswered.insert(topic) }
        return command
    }

    /// The frame that was on its way is written.
    mutating func wrote() { isWriting = false }

    /// Takes what the TAP says.
    mutating func heard(_ topic: TapFrameReport.Topic) { unanswered.remove(topic) }

    /// Whether only answers are waited for.
    var awaitsAnswers: Bool { isWrittenOut && !unanswered.isEmpty }

    private var isWrittenOut: Bool {
        !isWriting && underWay.map { written >= $0.commands.count } ?? false
    }

    /// Takes the request out that is written and answered; nil while there is none.
    mutating func finished() -> Request? {
        guard isWrittenOut, unanswered.isEmpty else { return nil }
        return giveUp()
    }

    /// Takes the request out that is under way, however far it is.
    mutating func giveUp() -> Request? {
        defer { (underWay, unanswered) = (nil, []) }
        return underWay
    }

    /// Empties the line; a frame that is on its way stays so, but means nothing any more.
    ///
    /// - Returns: The commands that are to be answered.
    mutating func clear() -> [CommandID] {
        let all = (giveUp().map { [$0] } ?? []) + waiting.remove { _ in true }
        return all.compactMap(\.command)
    }
}
