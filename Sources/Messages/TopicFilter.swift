/// A subscription.
public struct TopicFilter: Hashable, Sendable {
    /// The topic, with `+` and `#` allowed.
    public var filter: String
    /// The highest quality of service at which messages are taken: 0, 1 or 2.
    public var qos: Int
    /// Whether the bridge's own messages come back too (subscribed without MQTT 5's no-local). Over MQTT 3.1.1 they
    /// always do.
    public var receivesOwn: Bool
    /// Whether ``IncomingMessage/isRetained`` tells what the broker had in store from what is published just now
    /// (subscribed without MQTT 5's retain-as-published). Over MQTT 3.1.1 it always does.
    public var tellsStored: Bool
    /// Whether the broker leaves out what it has in store when it grants the subscription (MQTT 5's retain handling 2).
    public var skipsStored: Bool
    /// The protocol with which it is subscribed; nil for any.
    public var version: Version?

    /// Protocols that some subscriptions are made for: only MQTT 5 can leave a client's own messages out.
    public enum Version: Hashable, Sendable {
        /// MQTT 5.
        case five
        /// MQTT 3.1.1.
        case three
    }

    /// Makes a subscription.
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
