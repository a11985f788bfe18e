/// What was done at the broker's side since the start.
public struct BrokerStatistics: Hashable, Sendable {
    /// How many messages were lost, by what they were.
    public struct Dropped: Hashable, Sendable {
        /// Commands that came faster than they were carried out.
        public var incoming: Int
        /// Events that found the queue full.
        public var events: Int
        /// Messages of streams that found the broker slow or away.
        public var streams: Int
        /// Answers to senders whose connection had ended.
        public var replies: Int
        /// Messages that the broker refused.
        public var refused: Int

        /// Makes counts.
        public init(
            incoming: Int = 0, events: Int = 0, streams: Int = 0, replies: Int = 0, refused: Int = 0
        ) {
            self.incoming = incoming
            self.events = events
            self.streams = streams
            self.replies = replies
            self.refused = refused
        }
    }

    /// Messages that arrived.
    public var received = 0
    /// Messages handed to the broker, repeats included.
    public var sent = 0
    /// Messages that it acknowledged.
    public var acknowledged = 0
    /// Messages that were sent once more after a lost connection.
    public var repeated = 0
    /// What was lost.
    public var dropped = Dropped()
    /// How many messages wait for the broker now.
    public var queueDepth = 0
    /// How many it has not acknowledged yet.
    public var inFlight = 0
    /// The filters that the broker does not grant now.
    public var missingSubscriptions: [String] = []
    /// The topics on which nothing is sent because the broker ends the connection over it.
    public var rejectedTopics: [String] = []
    /// How often the connection was made again.
    public var reconnects = 0
    /// How long acknowledgements took since somebody asked last.
    public var latency = Latencies()

    /// Makes empty statistics.
    public init() {}
}

/// How long something took: how often, and the usual and the worst of it.
public struct Latencies: Hashable, Sendable {
    /// How many measurements there were.
    public var count: Int
    /// Half took no longer.
    public var median: Duration
    /// 99 of 100 took no longer.
    public var percentile99: Duration
    /// The longest.
    public var maximum: Duration

    /// Makes a summary.
    public init(
        count: Int = 0, median: Duration = .zero, percentile99: Duration = .zero, maximum: Duration = .zero
    ) {
        self.count = count
        self.median = median
        self.percentile99 = percentile99
        self.maximum = maximum
    }

    /// Sums measurements up.
    init(_ samples: [Duration]) {
        let sorted = samples.sorted()
        func percentile(_ share: Double) -> Duration {
            sorted.isEmpty ? .zero : sorted[Int((Double(sorted.count) * share).rounded(.up)) - 1]
        }
        self.init(
            count: sorted.count, median: percentile(0.5), percentile99: percentile(0.99),
            maximum: sorted.last ?? .zero)
    }
}
