/// Counts what a client did since it was opened, and how it stands.
public struct Statistics: Sendable, Hashable {
    /// How many messages were lost or refused, by policy.
    public struct Losses: Sendable, Hashable {
        /// Events that found the queue full.
        public var events = 0
        /// Messages of streams that found the broker slow or absent.
        public var streams = 0
        /// Replies whose connection had ended.
        public var replies = 0
        /// Messages that the broker, or the protocol, refused.
        public var refused = 0
    }

    /// Messages that the broker delivered to us.
    public var received = 0
    /// Incoming messages that a reader of `Client.messages` was too slow for.
    public var undelivered = 0
    /// Messages handed to the broker, repeats included.
    public var sent = 0
    /// QoS 1 messages that the broker acknowledged.
    public var acknowledged = 0
    /// Messages that were sent once more because their acknowledgement had not come before the connection broke.
    public var repeated = 0
    /// What was lost or refused.
    public var dropped = Losses()
    /// How many messages wait for the broker now.
    public var queueDepth = 0
    /// How many messages the broker has not acknowledged yet.
    public var inFlight = 0
    /// The filters that the broker does not grant now, in order.
    public var missingSubscriptions: [String] = []
    /// The topics on which nothing is sent because the broker ends the connection over it, in order.
    public var rejectedTopics: [String] = []
    /// How often a connection was made again after the first.
    public var reconnects = 0
    /// How long acknowledgements took from publishing on, since statistics were last taken; one that comes alone is
    /// read up to 2 ms late.
    public var latency = LatencySummary(count: 0, median: .zero, percentile99: .zero, maximum: .zero)

    /// Makes the statistics of a client that did nothing yet.
    public init() {}
}
