/// The statistics of the client that connects to the broker, since its start.
public struct BrokerStatistics: Hashable, Sendable {
    /// The numbers of lost messages, by kind.
    public struct Dropped: Hashable, Sendable {
        /// The number of events lost because the queue was full.
        public var events: Int
        /// The number of stream messages lost because the broker was slow or disconnected.
        public var streams: Int
        /// The number of replies lost because the connection was lost before they were sent.
        public var replies: Int
        /// The number of messages that the broker refused.
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

    /// The number of received messages.
    public var received = 0
    /// The number of messages sent to the broker, including repeated messages.
    public var sent = 0
    /// The number of messages that the broker acknowledged.
    public var acknowledged = 0
    /// The number of messages that were sent again after the connection was lost.
    public var repeated = 0
    /// The numbers of lost messages.
    public var dropped = Dropped()
    /// The number of messages that wait to be sent.
    public var queueDepth = 0
    /// The number of messages that are sent but not acknowledged.
    public var inFlight = 0
    /// The topic filters whose subscription the broker currently refuses.
    public var missingSubscriptions: [String] = []
    /// The topics on which publishing is suspended, because the broker closes the connection after such a message.
    public var rejectedTopics: [String] = []
    /// The number of reconnects to the broker.
    public var reconnects = 0
    /// The latencies from publishing to acknowledgment, since the last request of the statistics. The client reads a
    /// single acknowledgment up to 2 ms late. Percentiles are accurate to an eighth of their value.
    public var latency = Latencies()

    /// Creates the statistics of a new client.
    public init() {}
}
