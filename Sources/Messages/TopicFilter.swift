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

    /// Makes a subscription.
    public init(
        _ filter: String, qos: Int = 1, receivesOwn: Bool = false, tellsStored: Bool = false
    ) {
        self.tellsStored = tellsStored
        self.filter = filter
        self.qos = qos
        self.receivesOwn = receivesOwn
    }
}
