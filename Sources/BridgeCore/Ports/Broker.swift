/// The bridge's way to its users: publishing and commands. `MQTT` stands behind it.
public protocol Broker: Sendable {
    /// Hands a message over; it never waits. What becomes of it while the broker is away is the policy's.
    func publish(_ message: OutgoingMessage)
    /// Sends a message of QoS 0, not retained, ahead of everything that waits; where one still waits for the socket, the
    /// newer replaces it. Without a connection nothing is sent, and nothing waits for the next one.
    ///
    /// - Parameter sent: Called on the bridge's executor, possibly before this returns, with the time (clock of
    ///   ``TimeSource/now``) at which the message was handed to the socket; never called where it was not.
    func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void)
    /// Lets go of retained topics that somebody else speaks on now: they stay at the broker as they are, and are
    /// not published again after a connect.
    func release(_ topics: [String])
    /// Asks for the messages of topics, now and after every connect.
    func subscribe(_ filters: [TopicFilter])
    /// Asks for no more messages of topics.
    func unsubscribe(_ filters: [String])
    /// Hands over what the broker has sent so far, then connects anew with a clean start; ``BrokerEvent/lost(reason:)``
    /// and ``BrokerEvent/connected(version:)`` tell of it. Does nothing without a connection.
    func drainAndReconnect()
    /// Tries again, now, what the broker refuses: its rules may have changed.
    func retryRefused()
    /// Counts what was done since the start, and how long acknowledgements took since it was asked last.
    func statistics() async -> BrokerStatistics
    /// Tells what happens, from the moment of the call on. One caller.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event and each message as it comes: nothing waits in
    ///   between, and nothing is dropped. It is not called within a call of this port.
    func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void)
}

/// A subscription.
public struct TopicFilter: Hashable, Sendable {
    /// The topic, with `+` and `#` allowed.
    public var filter: String
    /// The highest quality of service at which messages are taken: 0 or 1.
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

    /// Whether a topic is among those asked for (MQTT 5, 4.7.1).
    public func matches(_ topic: String) -> Bool {
        let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in wanted.enumerated() {
            if level == "#" { return true }
            guard index < levels.count, level == "+" || level == levels[index] else { return false }
        }
        return wanted.count == levels.count
    }
}

/// A message to be published.
public struct OutgoingMessage: Hashable, Sendable {
    /// What becomes of it when the broker is away or slow.
    public enum Policy: Hashable, Sendable {
        /// Retained, QoS 1; the newest of a topic counts and is published again after every connect. An empty
        /// payload removes the topic.
        case state
        /// QoS 1, kept in order until the broker has acknowledged it.
        case event
        /// QoS 0, dropped oldest first.
        case stream
        /// An answer to one sender: QoS 1, not kept over a lost connection.
        case reply(correlation: [UInt8]?)
    }

    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// The policy.
    public var policy: Policy

    /// Makes a message.
    public init(topic: String, payload: [UInt8], policy: Policy) {
        self.topic = topic
        self.payload = payload
        self.policy = policy
    }
}

/// A message that arrived.
public struct IncomingMessage: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The payload; empty where it has more than ``maximumPayload`` bytes.
    public var payload: [UInt8]
    /// How many bytes the payload has.
    public var payloadSize: Int
    /// Whether its sender wanted it kept in store; where ``TopicFilter/tellsStored`` was asked for, whether it comes from
    /// there.
    public var isRetained: Bool
    /// Where the sender wants the answer (MQTT 5).
    public var responseTopic: String?
    /// What the sender wants to be given back with it (MQTT 5).
    public var correlation: [UInt8]?
    /// For how many seconds from its arrival it is valid (MQTT 5).
    public var expirySeconds: UInt32?
    /// When it arrived, on the bridge's monotonic clock.
    public var arrival: Duration

    /// The largest payload that is looked at, in bytes. Of a larger one the size is enough.
    public static let maximumPayload = 65_536

    /// Makes a message.
    ///
    /// - Parameter payloadSize: How many bytes the payload has, where they were too many to be handed over.
    public init(
        topic: String, payload: [UInt8], payloadSize: Int? = nil, isRetained: Bool = false,
        responseTopic: String? = nil, correlation: [UInt8]? = nil, expirySeconds: UInt32? = nil,
        arrival: Duration = .zero
    ) {
        self.topic = topic
        self.payload = payload
        self.payloadSize = payloadSize ?? payload.count
        self.isRetained = isRetained
        self.responseTopic = responseTopic
        self.correlation = correlation
        self.expirySeconds = expirySeconds
        self.arrival = arrival
    }
}

/// What happens between the bridge and its broker.
public enum BrokerEvent: Sendable {
    /// The connection is up; the protocol's version in words: `MQTT 5.0`.
    case connected(version: String)
    /// The connection is lost, for this reason.
    case lost(reason: String)
    /// A message arrived.
    case message(IncomingMessage)
    /// The broker granted a subscription, at most at this QoS: once for each connection and each new subscription.
    case subscribed(filter: String, qos: Int)
    /// The broker refused a subscription, told once for each connection; it is tried again until ``subscribed(filter:qos:)``.
    case subscriptionRefused(filter: String, reason: String)
    /// The broker refuses to take what is published on a topic, or something was lost on the way to it. Where it ends the
    /// connection over a topic, nothing is sent on that any more, which is told for each connection.
    case refused(topic: String, reason: String)
    /// The broker takes what is published on a topic that was left out.
    case accepted(topic: String)
}
