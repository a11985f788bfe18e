/// What was done at the broker's side since the start.
public struct BrokerStatistics: Hashable, Sendable {
    /// How many messages were lost, by what they were.
    public struct Dropped: Hashable, Sendable {
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
            events: Int = 0, streams: Int = 0, replies: Int = 0, refused: Int = 0
        ) {
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
    /// How long acknowledgements took from publishing on, since the last question; one that comes alone is
    /// read up to 2 ms late, and percentiles hold to within an eighth.
    public var latency = Latencies()

    /// Makes the statistics of a client that did nothing yet.
    public init() {}
}
