/// A topic filter that the client keeps subscribed for as long as it lives.
public struct Subscription: Sendable, Hashable {
    /// The filter, with `+` and `#` where wanted.
    public var filter: String
    /// The highest quality of service to deliver with: 0, 1 or 2.
    public var qos: Int
    /// Whether our own messages come back too: subscribed without MQTT 5's no-local. Over 3.1.1 they always do.
    public var receivesOwn: Bool

    /// Whether the retain flag tells what the broker had in store from what is published just now: subscribed without
    /// MQTT 5's retain-as-published. Over 3.1.1 it always does.
    public var tellsStored: Bool

    /// Makes a subscription; QoS 0 for what must not pile up, such as motion.
    public init(
        _ filter: String, qos: Int = 1, receivesOwn: Bool = false, tellsStored: Bool = false
    ) {
        self.tellsStored = tellsStored
        self.filter = filter
        self.qos = qos
        self.receivesOwn = receivesOwn
    }
}
