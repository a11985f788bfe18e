/// What a device is to be told when, over all passes of a pattern, on the clock of its state machine.
public struct Schedule<Message: Hashable & Sendable>: Hashable, Sendable {
    /// One thing to tell.
    public struct Cue: Hashable, Sendable {
        /// When, from the start of the pass.
        public var time: Duration
        /// What.
        public var message: Message

        /// Makes a cue.
        public init(at time: Duration, _ message: Message) {
            self.time = time
            self.message = message
        }
    }

    /// The cues of one pass, in order.
    public let cues: [Cue]
    /// When the first pass begins.
    public let start: Duration
    private let period: Duration
    private let total: Duration
    /// How many cues there are over all passes.
    private let count: Int
    /// How many of them are told or passed over.
    private var told = 0

    /// Makes a schedule.
    ///
    /// - Parameters:
    ///   - cues: What to tell in each pass, in order.
    ///   - timeline: The pattern that they render.
    ///   - start: When the first pass begins.
    public init(_ cues: [Cue], of timeline: Timeline, from start: Duration) {
        self.cues = cues
        self.start = start
        period = timeline.period
        total = timeline.total
        count = cues.count * timeline.passes
    }

    /// When it is over.
    public var end: Duration { start + total }

    /// When there is something to do next: a cue, or the end.
    public var next: Duration { told < count ? moment(told) : end }

    /// When the first cue is due.
    public var first: Duration { cues.isEmpty ? end : moment(0) }

    /// Takes the newest cue that is due; older ones whose moment was missed are passed over.
    ///
    /// - Returns: The cue's message and how late it is; nil if none is due.
    public mutating func take(at now: Duration) -> (message: Message, lateness: Duration)? {
        var due: Int?
        while told < count, moment(told) <= now {
            due = told
            told += 1
        }
        return due.map { (cues[$0 % cues.count].message, now - moment($0)) }
    }

    /// The cue that was told last.
    public func current(at now: Duration) -> (message: Message, age: Duration)? {
        guard told > 0 else { return nil }
        return (cues[(told - 1) % cues.count].message, now - moment(told - 1))
    }

    private func moment(_ index: Int) -> Duration {
        start + period * (index / cues.count) + cues[index % cues.count].time
    }
}
