/// The retained topics of ours that another client has emptied or overwritten, and when they are published again.
///
/// They are published again soon, and together. The bridge may have lost a topic to another bridge on purpose, which it
/// learns a moment later. Somebody who overwrites a topic continuously is corrected at a bounded rate.
struct OverwrittenTopics {
    /// How long a topic waits for others, and for the news that it belongs to another bridge now.
    static let delay = Duration.milliseconds(500)
    /// How often topics are published again within the window.
    static let limit = 6
    static let window = Duration.seconds(60)
    /// How many topics are remembered.
    static let capacity = 10_000

    private var topics: Set<String> = []
    private var rounds: [Duration] = []

    /// Notes a topic.
    ///
    /// - Returns: When ``take(at:)`` is to be called; nil if a call is due already.
    mutating func note(_ topic: String, at now: Duration) -> Duration? {
        guard topics.count < Self.capacity else { return nil }
        let isFirst = topics.isEmpty
        topics.insert(topic)
        guard isFirst else { return nil }
        rounds.removeAll { now - $0 >= Self.window }
        let earliest = rounds.count < Self.limit ? now : rounds[rounds.count - Self.limit] + Self.window
        return max(now + Self.delay, earliest)
    }

    /// Takes the topics whose time has come, in order.
    mutating func take(at now: Duration) -> [String] {
        defer { topics = [] }
        rounds.append(now)
        return topics.sorted()
    }

    /// Forgets the topics: all that is retained is published again after a connect.
    mutating func disconnected() { topics = [] }
}
