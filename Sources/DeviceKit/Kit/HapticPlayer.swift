public import Haptics
import JSON

/// The pattern that a device plays or is about to play: the scheduled writes, and the command that requested it.
public struct HapticPlayer<Message: Hashable & Sendable>: Hashable, Sendable {
    /// The actions for the current moment.
    public struct Turn: Sendable {
        /// Whether the start time of the pattern has just been reached.
        public var begins = false
        /// The write that is due, and its delay; nil for none.
        public var due: (message: Message, lateness: Duration)?
        /// Whether the pattern is over.
        public var isOver = false
    }

    /// The timer for the next turn.
    public static var timer: TimerName { "haptic" }
    /// How long a command waits for the first write. For a pattern that starts later, the command is answered on
    /// arrival.
    public static var patience: Duration { .seconds(10) }

    /// The name of the pattern.
    public let name: String
    /// The scheduled writes.
    public private(set) var schedule: Schedule<Message>
    /// The parts of the pattern that the device cannot play.
    public let degraded: [String]
    /// The command that requested the pattern, until the first write takes it over.
    public private(set) var command: CommandID?
    /// Whether the start time has been reached.
    public private(set) var hasBegun = false

    /// Creates a player. Answers the command immediately if the first write is too far in the future.
    ///
    /// - Parameters:
    ///   - performance: The pattern to play.
    ///   - cues: The writes for one pass.
    ///   - timeline: The pattern that the cues render.
    ///   - degraded: The parts of the pattern that the device cannot play.
    ///   - command: The command that requested the pattern.
    ///   - now: The arrival time of the command.
    ///   - effects: The collection to which the answer is added.
    public init(
        _ performance: Performance, _ cues: [Schedule<Message>.Cue], of timeline: Timeline,
        degraded: [String], for command: CommandID, at now: Duration, _ effects: inout Effects
    ) {
        name = performance.name
        schedule = Schedule(cues, of: timeline, from: now + performance.delay)
        self.degraded = performance.lost(besides: degraded)
        self.command = command
        guard schedule.first - now > Self.patience || cues.isEmpty else { return }
        self.command = nil
        effects.answer(command, answer)
    }

    /// The answer for a pattern that plays.
    public var answer: Answer { .degraded(degraded) }

    /// Removes the command and returns it; the caller must answer it.
    public mutating func takeCommand() -> CommandID? {
        defer { command = nil }
        return command
    }

    /// Returns what is due. Nothing is due before the start time.
    public mutating func advance(at now: Duration) -> Turn {
        var turn = Turn()
        guard now >= schedule.start else { return turn }
        (turn.begins, hasBegun) = (!hasBegun, true)
        turn.due = schedule.take(at: now)
        turn.isOver = now >= schedule.end
        return turn
    }

    /// Starts the timer for the next turn.
    public func arm(at now: Duration, _ effects: inout Effects) {
        let moment = now < schedule.start ? schedule.start : schedule.next
        effects.startTimer(Self.timer, after: moment - now)
    }

    /// Answers the command of a pattern that ended before its first write.
    public mutating func missed(_ effects: inout Effects) {
        guard let id = takeCommand() else { return }
        effects.answer(id, .failed(.timeout, "the pattern's time was over before it could begin"))
    }
}

extension Performance {
    /// Returns everything that a device cannot play: its own list, and the sound of a pattern file.
    public func lost(besides degraded: [String]) -> [String] { degraded + (hasSound ? ["sound"] : []) }
}

extension Answer {
    /// Returns the answer to a pattern that the device cannot play completely.
    public static func degraded(_ degraded: [String]) -> Answer {
        .ok(degraded.isEmpty ? [:] : ["degraded": .array(degraded.map { .string($0) })])
    }
}

extension Order {
    /// Reads the checked arguments of a ``Feature/haptic(place:example:)`` command.
    ///
    /// - Throws: ``CommandError`` for an invalid pattern.
    public init(_ arguments: Arguments) throws(CommandError) {
        do {
            self = try Order(arguments.values)
        } catch {
            throw CommandError(.init(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
        }
    }
}

extension Effects {
    /// Publishes the name of the pattern that plays; nil for none.
    public mutating func publish(playing name: String?) {
        publish(Feature.hapticName, ["playing": name.map { .string($0) } ?? .null])
    }
}

extension Arguments {
    /// Whether these arguments of a ``Feature/haptic(place:example:)`` command stop the current pattern.
    public var endsHaptic: Bool { text("pattern") == Library.stopWord }
}
