public import Messages

/// The bridge's way to its users: publishing and commands. `MQTT` stands behind it.
public protocol Broker: Sendable {
    /// Hands a message over; it never waits. What becomes of it while the broker is away is the policy's.
    func publish(_ message: OutgoingMessage)
    /// Sends a message of QoS 0, not retained, ahead of everything that waits; where one still waits for the
    /// socket, the newer replaces it. Without a connection nothing is sent, and nothing waits for the next
    /// one.
    ///
    /// - Parameter sent: Called on the bridge's executor, possibly before this returns, with the time (clock
    ///   of
    ///   ``TimeSource/now``) at which the message was handed to the socket; never called where it was not.
    func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void)
    /// Lets go of retained topics that another client speaks on now: they stay at the broker as they are, and
    /// are not published again after a connect.
    func release(_ topics: [String])
    /// Publishes a retained topic again, soon and at a bounded rate, unless `payload` is what was published on it last:
    /// another client has emptied or overwritten it. Nothing happens for a topic that was released.
    func restore(_ topic: String, insteadOf payload: [UInt8])
    /// Keeps what is published, and sends nothing but probes, until it is released. If the connection ends meanwhile by
    /// a shutdown, the last will is not published.
    func holdBack(_ isHeldBack: Bool)
    /// Asks for the messages of topics, now and after every connect.
    func subscribe(_ filters: [TopicFilter])
    /// Asks for no more messages of topics.
    func unsubscribe(_ filters: [String])
    /// Hands over what the broker has sent so far, then connects anew with a clean start;
    /// ``BrokerEvent/lost(reason:)`` and ``BrokerEvent/connected(version:)`` tell of it. Does nothing without
    /// a connection.
    func drainAndReconnect()
    /// Tries again, now, what the broker refuses: its rules may have changed.
    func retryRefused()
    /// Counts what was done since the start, and how long acknowledgements took since it was asked last.
    func statistics() async -> BrokerStatistics
    /// Tells what happens, from the moment of the call on. One caller.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event and each message as it comes:
    ///   nothing waits in
    ///   between, and nothing is dropped. It is not called within a call of this port.
    func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void)
}

/// What happens between the bridge and its broker.
public enum BrokerEvent: Sendable {
    /// The connection is up; the protocol's version in words: `MQTT 5.0`.
    case connected(version: String)
    /// The connection is lost, for this reason.
    case lost(reason: String)
    /// A message arrived.
    case message(IncomingMessage)
    /// The broker granted a subscription, at most at this QoS: once for each connection and each new
    /// subscription.
    case subscribed(filter: String, qos: Int)
    /// The broker refused a subscription, told once for each connection; it is tried again until
    /// ``subscribed(filter:qos:)``.
    case subscriptionRefused(filter: String, reason: String)
    /// The broker refuses to take what is published on a topic, or something was lost on the way to it. Where
    /// it ends the connection over a topic, nothing is sent on that any more, which is told for each
    /// connection.
    case refused(topic: String, reason: String)
    /// The broker, or the protocol, refused an event or a reply, which is not sent again.
    case messageRefused(OutgoingMessage, reason: String)
    /// The broker takes what is published on a topic that was left out.
    case accepted(topic: String)
    /// The connection ended without a reason while an answer to this topic was not confirmed.
    case replyUnconfirmed(topic: String)
}

extension IncomingMessage {
    /// The largest payload that is looked at, in bytes. Of a larger one the size is enough.
    public static let maximumPayload = 65_536
}
