/// This client's retained topics that another client cleared or overwrote, and the times at which to publish them
/// again.
///
/// The topics are published again together, after a short delay. If the other client is a bridge that now owns the
/// device, its claim arrives within the delay, and the topics are released instead. Against a client that overwrites a
/// topic continuously, the topic is published again at a limited rate. After a connect all retained topics are
/// published again anyway.
struct OverwrittenTopics {
    /// How long a topic waits for further overwritten topics, and for another bridge's claim of the device.
    static let delay = Duration.milliseconds(500)
    /// The maximum number of times that a topic is published again within `window`.
    static let limit = 6
    static let window = Duration.seconds(60)
    /// The maximum number of remembered topics.
    static let capacity = 10_000

    /// The time at which each topic is published again.
    private var due: [String: Duration] = [:]
    /// The recent times at which each topic was published again.
    private var rounds: [String: [Duration]] = [:]
    /// The next time to call ``take(at:)``; nil if no topic is waiting.
    private(set) var next: Duration?

    /// Adds a topic.
    ///
    /// - Returns: The time to call ``take(at:)``; nil if a call is already scheduled.
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

    /// Removes and returns the topics that are to be published again now, in alphabetical order.
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
