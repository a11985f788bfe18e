/// A message that arrived.
public struct IncomingMessage: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The payload; empty where it has more bytes than the receiver looks at.
    public var payload: [UInt8]
    /// How many bytes the payload has.
    public var payloadSize: Int
    /// The quality of service that it was delivered with: 0, 1 or 2.
    public var qos: Int
    /// Whether its sender wanted it kept in store; where ``TopicFilter/tellsStored`` was asked for, and over MQTT
    /// 3.1.1, whether it comes from there.
    public var isRetained: Bool
    /// Where the sender wants the answer (MQTT 5 Response Topic).
    public var responseTopic: String?
    /// What the sender wants to be given back with it (MQTT 5 Correlation Data).
    public var correlation: [UInt8]?
    /// For how many seconds from its arrival it is valid (MQTT 5 Message Expiry Interval, less the time at the broker).
    public var expirySeconds: UInt32?
    /// When it arrived, on the event loop's monotonic clock.
    public var arrival: Duration

    /// Makes a message.
    ///
    /// - Parameter payloadSize: How many bytes the payload has, where they were too many to be handed over.
    public init(
        topic: String, payload: [UInt8], payloadSize: Int? = nil, qos: Int = 0, isRetained: Bool = false,
        responseTopic: String? = nil, correlation: [UInt8]? = nil, expirySeconds: UInt32? = nil,
        arrival: Duration = .zero
    ) {
        self.topic = topic
        self.payload = payload
        self.payloadSize = payloadSize ?? payload.count
        self.qos = qos
        self.isRetained = isRetained
        self.responseTopic = responseTopic
        self.correlation = correlation
        self.expirySeconds = expirySeconds
        self.arrival = arrival
    }
}
