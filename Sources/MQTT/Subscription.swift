/// A topic filter that the client keeps subscribed for as long as it lives.
public struct Subscription: Sendable, Hashable {
    /// The filter, with `+` and `#` where wanted.
    public var filter: String
    /// The highest quality of service to deliver with: 0, 1 or 2.
    public var qos: Int

    /// Makes a subscription; QoS 0 for what must not pile up, such as motion.
    public init(_ filter: String, qos: Int = 1) {
        self.filter = filter
        self.qos = qos
    }
}
