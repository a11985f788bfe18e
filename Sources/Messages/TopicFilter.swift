/// A subscription to a topic filter.
public struct TopicFilter: Hashable, Sendable {
    /// The topic filter, which may contain `+` and `#`.
    public var filter: String
    /// The maximum quality of service of the messages: 0, 1 or 2.
    public var qos: Int
    /// Whether the bridge also receives the messages that it publishes itself. If so, the subscription does not set the
    /// option No Local of MQTT 5. Over MQTT 3.1.1, the bridge always receives its own messages.
    public var receivesOwn: Bool
    /// Whether ``IncomingMessage/isRetained`` distinguishes the broker's retained messages from new messages. If so,
    /// the subscription does not set the option Retain As Published of MQTT 5. Over MQTT 3.1.1, `isRetained` always
    /// distinguishes them.
    public var tellsStored: Bool
    /// Whether the broker sends no retained messages for the new subscription (the option Retain Handling of MQTT 5
    /// with the value 2).
    public var skipsStored: Bool
    /// The MQTT version with which the subscription is made; nil for every version.
    public var version: Version?

    /// The MQTT versions that subscriptions distinguish, because only MQTT 5 can exclude a client's own messages.
    public enum Version: Hashable, Sendable {
        /// The subscription is made only over MQTT 5.
        case five
        /// The subscription is made only over MQTT 3.1.1.
        case three
    }

    /// Creates a subscription.
    public init(
        _ filter: String, qos: Int = 1, receivesOwn: Bool = false, tellsStored: Bool = false,
        skipsStored: Bool = false, version: Version? = nil
    ) {
        self.tellsStored = tellsStored
        self.skipsStored = skipsStored
        self.version = version
        self.filter = filter
        self.qos = qos
        self.receivesOwn = receivesOwn
    }
}
