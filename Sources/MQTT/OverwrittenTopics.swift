/// The retained topics of ours that another client has emptied or overwritten, and when they are published again.
///
/// They are published again soon, and together. The bridge may have lost a topic to another bridge on purpose, which it
/// learns a moment later. Somebody who overwrites a topic continuously is corrected at a bounded rate. After a connect
/// all that is retained is published again anyway.
struct OverwrittenTopics {
    /// How long a topic waits for others, and for the news that it belongs to another bridge now.
    static let delay = Duration.milliseconds(500)
    /// How often a topic is published again within the window.
    static let limit = 6
    static let window = Duration.seconds(60)
    /// How many topics are remembered.
    static let capacity = 10_000

    /// When each topic is published again.
    private var due: [String: Duration] = [:]
    /// When each topic was published again lately.
    private var rounds: [String: [Duration]] = [:]
    /// When ``take(at:)`` is to be called next; nil for never.
    private(set) var next: Duration?

    /// Notes a topic.
    ///
    /// - Returns: When ``take(at:)`` is to be called; nil if a call is due before already.
    mutating func note(_ topic: String, at now: Duration) -> Duration? {
        guard due[topic] == nil, due.count < Self.capacity else { return nil }
        let past = (rounds[topic] ?? []).filter { now - $0 < Self.window }
        let earliest = past.count < Self.limit ? now : past[past.count - Self.limit] + Self.window
        let moment = max(now + Self.delay, earliest)
        due[topic] = moment
        if let next, next <= moment { return nil }
        next = moment
        return moment
    }

    /// Takes the topics whose time has come, in order.
    mutating func take(at now: Duration) -> [String] {
        let topics = due.filter { $0.value <= now }.keys.sorted()
        if rounds.count + topics.count > 2 * Self.capacity {
            rounds = rounds.filter { $0.value.contains { now - $0 < Self.window } }
        }
        for topic in topics {
            due[topic] = nil
            rounds[topic] = (rounds[topic] ?? []).suffix(Self.limit - 1) + [now]
        }
        next = due.values.min()
        return topics
    }
}
