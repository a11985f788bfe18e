/// A received message.
public struct IncomingMessage: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The payload; empty if it exceeds the receiver's limit.
    public var payload: [UInt8]
    /// The size of the payload in bytes.
    public var payloadSize: Int
    /// The quality of service of the delivery: 0, 1 or 2.
    public var qos: Int
    /// Whether the sender published it as a retained message. With ``TopicFilter/tellsStored``, and over MQTT 3.1.1,
    /// whether it is delivered from the broker's retained messages.
    public var isRetained: Bool
    /// The topic for the reply (MQTT 5 Response Topic).
    public var responseTopic: String?
    /// The data to return with the reply (MQTT 5 Correlation Data).
    public var correlation: [UInt8]?
    /// The validity in seconds after the arrival (MQTT 5 Message Expiry Interval, reduced by the time on the broker).
    public var expirySeconds: UInt32?
    /// The time of arrival, on the event loop's clock.
    public var arrival: Duration

    /// Creates a message.
    ///
    /// - Parameter payloadSize: The size of the payload in bytes, if the payload was too large to be delivered.
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
