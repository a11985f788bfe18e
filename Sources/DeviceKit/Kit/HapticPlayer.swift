public import Haptics
import JSON

/// The pattern that a device plays or is about to play: the scheduled writes, and the command that requested it.
public struct HapticPlayer<Message: Hashable & Sendable>: Hashable, Sendable {
    /// What the player has to do when its timer expires.
    public struct Turn: Sendable {
        /// Whether the start time of the pattern has just been reached.
        public var begins = false
        /// The writes that are due, in order, each with the time that has passed since its scheduled time.
        public var all: [(message: Message, lateness: Duration)] = []
        /// The newest write that is due; nil for none. On a device with one motor, the newest write replaces all older
        /// writes.
        public var due: (message: Message, lateness: Duration)? { all.last }
        /// Whether the pattern is over.
        public var isOver = false
    }

    /// The timer for the next ``Turn``.
    public static var timer: TimerName { "haptic" }
    /// The maximum time for which a command waits for the first write of its pattern. If the first write is scheduled
    /// later than this, the command is answered on arrival.
    public static var patience: Duration { .seconds(10) }

    /// The name of the pattern.
    public let name: String
    /// The scheduled writes.
    public private(set) var schedule: Schedule<Message>
    /// The pattern that the writes render.
    public let timeline: Timeline
    /// The answer to the command, which is sent when the device starts to play the pattern.
    public let answer: Answer
    /// The command that requested the pattern; nil after the first write took the command over in order to answer it.
    public private(set) var command: CommandID?
    /// Whether the start time has been reached.
    public private(set) var hasBegun = false

    /// Creates a player. Answers the command immediately if the first write is too far in the future.
    ///
    /// - Parameters:
    ///   - performance: The pattern to play.
    ///   - cues: The writes that play the pattern once.
    ///   - timeline: The pattern that the cues render.
    ///   - degraded: The properties of the pattern that the device cannot play.
    ///   - command: The command that requested the pattern.
    ///   - now: The arrival time of the command.
    ///   - effects: The collection to which the answer is added.
    public init(
        _ performance: Performance, _ cues: [Schedule<Message>.Cue], of timeline: Timeline,
        degraded: Set<Loss>, for command: CommandID, at now: Duration, _ effects: inout Effects
    ) {
        name = performance.name
        schedule = Schedule(cues, of: timeline, from: now + performance.delay)
        self.timeline = timeline
        answer = .degraded(performance.lost(besides: degraded), performance.remarks)
        self.command = command
        guard schedule.first - now > Self.patience || cues.isEmpty else { return }
        self.command = nil
        effects.answer(command, answer)
    }

    /// Removes the command and returns it; the caller must answer it.
    public mutating func takeCommand() -> CommandID? {
        defer { command = nil }
        return command
    }

    /// Returns the writes that are due. Before the start time, no write is due.
    public mutating func advance(at now: Duration) -> Turn {
        var turn = Turn()
        guard now >= schedule.start else { return turn }
        (turn.begins, hasBegun) = (!hasBegun, true)
        turn.all = schedule.take(at: now)
        turn.isOver = now >= schedule.end
        return turn
    }

    /// Starts the timer for the next ``Turn``, when the next write is due or the pattern ends.
    public func arm(at now: Duration, _ effects: inout Effects) {
        let moment = now < schedule.start ? schedule.start : schedule.next
        effects.startTimer(Self.timer, after: moment - now)
    }

    /// Answers the command that requested this pattern, because the pattern ended before its first write.
    public mutating func missed(_ effects: inout Effects) {
        guard let id = takeCommand() else { return }
        effects.answer(id, .failed(.timeout, "the pattern expired before it could start"))
    }
}

extension Performance {
    /// Compiles the pattern for a device that may already play an older pattern. If the two patterns are mixed, the
    /// older pattern continues. If they have too many steps to be mixed, a remark states that the older pattern ends.
    ///
    /// - Parameters:
    ///   - older: The pattern that plays or is about to play.
    ///   - place: Converts a place in the pattern to a place on the device.
    ///   - effects: The collection to which the answer to the older pattern's command is added, if that command still
    ///     waits for its first write.
    public mutating func timeline<Message>(
        over older: HapticPlayer<Message>?, placed place: (Timeline.Place) -> Timeline.Place = { $0 },
        at now: Duration, _ effects: inout Effects
    ) -> Timeline {
        let timeline = self.timeline.placed(place)
        guard let older else { return timeline }
        let mixed =
            isMixed
            ? timeline.mixed(
                after: delay, with: older.timeline, startingAfter: older.schedule.start - now) : nil
        if mixed != nil {
            delay = .zero
        } else if isMixed {
            remarks.append(
                "the current pattern ends, because both together have more than \(Timeline.maximumMixed) steps"
            )
        }
        if let id = older.command { effects.answer(id, mixed == nil ? .superseded : older.answer) }
        return mixed ?? timeline
    }

    /// Returns, in words, everything that a device does not play: the properties in `degraded`, and the sound of a
    /// pattern file.
    public func lost(besides degraded: Set<Loss>) -> [String] {
        (hasSound ? degraded.union([.sound]) : degraded).words
    }
}

extension Answer {
    /// Returns the answer to a command whose pattern the device cannot play completely, or that was changed when it was
    /// read.
    public static func degraded(_ degraded: [String], _ remarks: [String] = []) -> Answer {
        var members: JSON.Object = [:]
        if !degraded.isEmpty { members["degraded"] = .array(degraded.map { .string($0) }) }
        if !remarks.isEmpty { members["remarks"] = .array(remarks.map { .string($0) }) }
        return .ok(members)
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
