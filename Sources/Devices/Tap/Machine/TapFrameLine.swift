import DeviceKit

/// The queue of requests to a TAP with the framed protocol. A request has one or more frames. The next request starts
/// after the TAP has answered the questions of the current request.
struct TapFrameLine: Sendable {
    /// Frames that are written together, and the reason for them.
    struct Request: Hashable, Sendable {
        /// Why the frames of a request are written.
        enum Purpose: Hashable, Sendable {
            /// Restores the state that was requested on an earlier link, and asks the TAP for all other state.
            case setup
            /// Carries out a command of the user. Afterwards, the TAP must report the requested state.
            case asked(CommandID, Goal)
            /// The last writes before the link is closed.
            case lastWord
        }

        /// The state that the TAP must report after a command.
        enum Goal: Hashable, Sendable {
            case sensing(TapSensing)
            case sensitivity(TapSensitivity)
            case standby(Bool)
        }

        var purpose: Purpose
        var commands: [TapFrameCommand]

        /// The identifier of the command, if it must be answered.
        var command: CommandID? {
            if case .asked(let id, _) = purpose { id } else { nil }
        }
    }

    /// The maximum number of requests in the queue.
    static let limit = 64
    /// How long the TAP can take to answer after the last question is written (tap-python-sdk).
    static let answerTime = Duration.seconds(2)

    private(set) var waiting = WaitingLine<Request>(limit: limit)
    private(set) var underWay: Request?
    /// How many frames of the current request are written.
    private var written = 0
    /// Whether a frame is being written.
    private var isWriting = false
    /// The subjects of the questions that the TAP has not answered yet.
    private var unanswered: Set<TapFrameReport.Topic> = []

    /// Whether no request is queued or in progress.
    var isEmpty: Bool { waiting.isEmpty && underWay == nil && !isWriting }

    mutating func add(_ request: Request) { waiting.append(request) }

    /// Returns the next frame, if it can be written now.
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

    /// Records that the write of the frame has ended.
    mutating func wrote() { isWriting = false }

    /// Records that the TAP answered the question about a subject.
    mutating func heard(_ topic: TapFrameReport.Topic) { unanswered.remove(topic) }

    /// Whether all frames of the current request are written, and only answers are missing.
    var awaitsAnswers: Bool { isWrittenOut && !unanswered.isEmpty }

    private var isWrittenOut: Bool {
        !isWriting && underWay.map { written >= $0.commands.count } ?? false
    }

    /// If all frames of the request in progress are written and all its questions answered, removes and returns the
    /// request.
    mutating func finished() -> Request? {
        guard isWrittenOut, unanswered.isEmpty else { return nil }
        return abandon()
    }

    /// Removes and returns the request in progress, complete or not.
    mutating func abandon() -> Request? {
        defer { (underWay, unanswered) = (nil, []) }
        return underWay
    }

    /// Empties the queue. A frame that is being written continues, but its result is ignored.
    ///
    /// - Returns: The commands to answer.
    mutating func clear() -> [CommandID] {
        let all = (abandon().map { [$0] } ?? []) + waiting.remove { _ in true }
        return all.compactMap(\.command)
    }
}
