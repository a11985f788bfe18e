/// The messages to a device and their times, on the clock of the device's state machine. A pass is one playback of the
/// pattern; a schedule covers all passes.
public struct Schedule<Message: Hashable & Sendable>: Hashable, Sendable {
    /// A message and its time.
    public struct Cue: Hashable, Sendable {
        /// The time, relative to the start of the pass.
        public var time: Duration
        /// The message.
        public var message: Message

        /// Creates a cue.
        public init(at time: Duration, _ message: Message) {
            self.time = time
            self.message = message
        }
    }

    /// The cues of one pass, in order.
    public let cues: [Cue]
    /// The start of the first pass.
    public let start: Duration
    private let period: Duration
    private let total: Duration
    /// The total number of cues in all passes.
    private let count: Int
    /// The number of cues that ``take(at:)`` has already returned.
    private var told = 0

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - cues: The cues of each pass, in order.
    ///   - timeline: The pattern that the cues render.
    ///   - start: The start of the first pass.
    public init(_ cues: [Cue], of timeline: Timeline, from start: Duration) {
        self.cues = cues
        self.start = start
        period = timeline.period
        total = timeline.total
        count = cues.count * timeline.passes
    }

    /// The end of the last pass.
    public var end: Duration { start + total }

    /// The time of the next cue; after the last cue has been returned, the end of the last pass.
    public var next: Duration { told < count ? moment(told) : end }

    /// The time of the first cue.
    public var first: Duration { cues.isEmpty ? end : moment(0) }

    /// Removes the cues that are due and returns them in order.
    ///
    /// - Returns: The messages, each with the time that has passed since its scheduled time.
    public mutating func take(at now: Duration) -> [(message: Message, lateness: Duration)] {
        var due: [(message: Message, lateness: Duration)] = []
        while told < count, moment(told) <= now {
            due.append((cues[told % cues.count].message, now - moment(told)))
            told += 1
        }
        return due
    }

    private func moment(_ index: Int) -> Duration {
        start + period * (index / cues.count) + cues[index % cues.count].time
    }
}
