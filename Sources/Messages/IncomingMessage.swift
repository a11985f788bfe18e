/// A received message.
public struct IncomingMessage: Hashable, Sendable {
    /// The topic of the message.
    public var topic: String
    /// The payload; empty if it exceeds the receiver's limit.
    public var payload: [UInt8]
    /// The size of the payload in bytes.
    public var payloadSize: Int
    /// The quality of service of the delivery: 0, 1 or 2.
    public var qos: Int
    /// Whether the sender published the message as a retained message. For a subscription with
    /// ``TopicFilter/tellsStored``, and always over MQTT 3.1.1: whether the broker delivered the message from its
    /// retained messages.
    public var isRetained: Bool
    /// The topic for the reply (MQTT 5 Response Topic).
    public var responseTopic: String?
    /// The data to return with the reply (MQTT 5 Correlation Data).
    public var correlation: [UInt8]?
    /// The number of seconds for which the message is valid after its arrival (MQTT 5 Message Expiry Interval, from
    /// which the broker has subtracted the waiting time).
    public var expirySeconds: UInt32?
    /// The time of arrival, on the event loop's clock.
    public var arrival: Duration

    /// Creates a message.
    ///
    /// - Parameter payloadSize: The size of the payload in bytes, for a payload that exceeds the receiver's limit; by
    ///   default the size of `payload`.
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
