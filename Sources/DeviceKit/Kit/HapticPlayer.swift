public import Haptics
import JSON

/// The pattern that a device plays or is about to play: what is written when, and the command that asked for it.
public struct HapticPlayer<Message: Hashable & Sendable>: Hashable, Sendable {
    /// What is to be done now.
    public struct Turn: Sendable {
        /// Whether the pattern's time has come just now.
        public var begins = false
        /// What to write, and how late it is; nil for nothing.
        public var due: (message: Message, lateness: Duration)?
        /// Whether the pattern's time is over.
        public var isOver = false
    }

    /// The timer that tells of the next turn.
    public static var timer: TimerName { "haptic" }
    /// How long a command waits for the first write; one that begins later is answered when it is taken.
    public static var patience: Duration { .seconds(10) }

    /// What the pattern is called.
    public let name: String
    /// What is written when.
    public private(set) var schedule: Schedule<Message>
    /// What of the pattern the device does not show.
    public let degraded: [String]
    /// The command that asked for it, until the first write carries that along.
    public private(set) var command: CommandID?
    /// Whether its time has come.
    public private(set) var hasBegun = false

    /// Takes a pattern, and answers its command at once where the first write is far off.
    ///
    /// - Parameters:
    ///   - performance: What is played.
    ///   - cues: How the device plays one pass of it.
    ///   - timeline: The pattern that the cues render.
    ///   - degraded: What of it the device does not show.
    ///   - command: The command that asked for it.
    ///   - now: When it was taken.
    ///   - effects: Where the answer goes.
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

    /// The answer when it plays.
    public var answer: Answer { .degraded(degraded) }

    /// Takes the command out, to be answered by the taker.
    public mutating func takeCommand() -> CommandID? {
        defer { command = nil }
        return command
    }

    /// Takes what is due. Before the pattern's time nothing is.
    public mutating func advance(at now: Duration) -> Turn {
        var turn = Turn()
        guard now >= schedule.start else { return turn }
        (turn.begins, hasBegun) = (!hasBegun, true)
        turn.due = schedule.take(at: now)
        turn.isOver = now >= schedule.end
        return turn
    }

    /// Waits for the next turn.
    public func arm(at now: Duration, _ effects: inout Effects) {
        let moment = now < schedule.start ? schedule.start : schedule.next
        effects.startTimer(Self.timer, after: moment - now)
    }

    /// Answers the command of a pattern whose time was over before anything of it was written.
    public mutating func missed(_ effects: inout Effects) {
        guard let id = takeCommand() else { return }
        effects.answer(id, .failed(.timeout, "the pattern's time was over before it could begin"))
    }
}

extension Performance {
    /// What a device does not show: what it says itself, and the sound of a file.
    public func lost(besides degraded: [String]) -> [String] { degraded + (hasSound ? ["sound"] : []) }
}

extension Answer {
    /// The answer to a pattern of which the device does not show all.
    public static func degraded(_ degraded: [String]) -> Answer {
        .ok(degraded.isEmpty ? [:] : ["degraded": .array(degraded.map { .string($0) })])
    }
}

extension Order {
    /// Reads the checked arguments of a ``Feature/haptic(place:example:)`` command.
    ///
    /// - Throws: What is wrong with the pattern, for the one who sent it.
    public init(_ arguments: Arguments) throws(CommandError) {
        do {
            self = try Order(arguments.values)
        } catch {
            throw CommandError(.init(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
        }
    }
}

extension Effects {
    /// Publishes what is played; nil for nothing.
    public mutating func publish(playing name: String?) {
        publish(Feature.hapticName, ["playing": name.map { .string($0) } ?? .null])
    }
}

extension Arguments {
    /// Whether these arguments of a ``Feature/haptic(place:example:)`` command end what plays.
    public var endsHaptic: Bool { text("pattern") == Library.stopWord }
}
