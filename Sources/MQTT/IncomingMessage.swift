/// A message that the broker delivered to one of our subscriptions.
public struct IncomingMessage: Sendable, Hashable {
    /// The topic name that it was published to.
    public var topic: String
    /// Its bytes, as they came; none where there were more than ``Configuration/Limits/payload``.
    public var payload: [UInt8]
    /// How many bytes came.
    public var payloadSize: Int
    /// The quality of service it was delivered with: 0, 1 or 2.
    public var qos: Int
    /// Whether it was published as a retained message.
    ///
    /// MQTT 5 tells it for every message (retain as published); 3.1.1 only for those that were retained before
    /// we subscribed.
    public var retain: Bool
    /// Where the sender wants an answer (MQTT 5 Response Topic).
    public var responseTopic: String?
    /// What the answer must carry (MQTT 5 Correlation Data).
    public var correlationData: [UInt8]?
    /// For how many seconds more it is valid (MQTT 5 Message Expiry Interval); the broker has already taken off
    /// the time that it spent there.
    public var messageExpiry: UInt32?
    /// When it arrived, on the event loop's clock (`EventLoop.now`).
    public var arrival: Duration

    /// Makes a message as if it had arrived; for tests and fakes.
    ///
    /// - Parameter payloadSize: How many bytes came, where they were too many to be taken.
    public init(
        topic: String, payload: [UInt8], payloadSize: Int? = nil, qos: Int = 0, retain: Bool = false,
        responseTopic: String? = nil,
        correlationData: [UInt8]? = nil, messageExpiry: UInt32? = nil, arrival: Duration = .zero
    ) {
        self.topic = topic
        self.payload = payload
        self.payloadSize = payloadSize ?? payload.count
        self.qos = qos
        self.retain = retain
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.messageExpiry = messageExpiry
        self.arrival = arrival
    }
}
