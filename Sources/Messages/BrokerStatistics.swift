/// The statistics of a broker client since the start.
public struct BrokerStatistics: Hashable, Sendable {
    /// The numbers of lost messages, by kind.
    public struct Dropped: Hashable, Sendable {
        /// Events lost because the queue was full.
        public var events: Int
        /// Stream messages lost because the broker was slow or disconnected.
        public var streams: Int
        /// Replies to senders whose connection had ended.
        public var replies: Int
        /// Messages that the broker refused.
        public var refused: Int

        /// Creates counts.
        public init(
            events: Int = 0, streams: Int = 0, replies: Int = 0, refused: Int = 0
        ) {
            self.events = events
            self.streams = streams
            self.replies = replies
            self.refused = refused
        }
    }

    /// Received messages.
    public var received = 0
    /// Messages sent to the broker, including repeated ones.
    public var sent = 0
    /// Messages acknowledged by the broker.
    public var acknowledged = 0
    /// Messages sent again after a lost connection.
    public var repeated = 0
    /// Lost messages.
    public var dropped = Dropped()
    /// The number of messages that wait to be sent.
    public var queueDepth = 0
    /// The number of unacknowledged messages.
    public var inFlight = 0
    /// The filters that the broker currently refuses.
    public var missingSubscriptions: [String] = []
    /// The suspended topics, over which the broker closes the connection.
    public var rejectedTopics: [String] = []
    /// The number of reconnects.
    public var reconnects = 0
    /// The latencies from publishing to acknowledgement, since the last request of the statistics. A single
    /// acknowledgement is read up to 2 ms late, and percentiles are accurate to an eighth.
    public var latency = Latencies()

    /// Creates the statistics of a new client.
    public init() {}
}
