public import JSON
public import Messages
import Synchronization

/// A broker in memory with retained messages, subscriptions and any number of clients. A test can inspect every
/// message.
public final class FakeBroker: Sendable {
    /// A message that the broker received.
    public struct Delivery: Hashable, Sendable {
        /// The name of the sender.
        public var client: String
        /// The message.
        public var message: OutgoingMessage
    }

    private struct State {
        var log: [Delivery] = []
        var retained: [String: [UInt8]] = [:]
        var clients: [FakeBrokerClient] = []
    }

    let executor: ManualExecutor
    private let time: VirtualTime
    private let state = Mutex(State())

    /// Creates an empty broker.
    public init(executor: ManualExecutor, time: VirtualTime) {
        self.executor = executor
        self.time = time
    }

    /// Creates a disconnected client.
    public func client(_ name: String = "bridge") -> FakeBrokerClient {
        let client = FakeBrokerClient(name: name, broker: self)
        state.withLock { $0.clients.append(client) }
        return client
    }

    // MARK: Actions of users

    /// Publishes a message as a user, and processes all consequences.
    public func send(
        _ topic: String, _ payload: String, retain: Bool = false, responseTopic: String? = nil,
        correlation: [UInt8]? = nil, expirySeconds: UInt32? = nil
    ) {
        send(
            IncomingMessage(
                topic: topic, payload: Array(payload.utf8), isRetained: retain, responseTopic: responseTopic,
                correlation: correlation, expirySeconds: expirySeconds, arrival: time.now))
    }

    /// Delivers a message to all subscribers, and processes all consequences.
    public func send(_ message: IncomingMessage) {
        executor.perform {
            if message.isRetained { retain(message.topic, message.payload) }
            for client in state.withLock(\.clients) { client.deliver(message) }
        }
    }

    // MARK: Messages that users receive

    /// All messages so far, in order.
    public var log: [Delivery] { state.withLock(\.log) }

    /// The payloads that were published on a topic, in order.
    public func texts(_ topic: String) -> [String] {
        log.filter { $0.message.topic == topic }.map { String(decoding: $0.message.payload, as: UTF8.self) }
    }

    /// The payloads that were published on a topic, as objects.
    public func objects(_ topic: String) -> [JSON.Value] {
        log.filter { $0.message.topic == topic }.compactMap { try? JSON.Value(parsing: $0.message.payload) }
    }

    /// The retained message of a topic.
    public func retained(_ topic: String) -> String? {
        state.withLock { $0.retained[topic] }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The retained message of a topic, parsed as JSON.
    public func retainedObject(_ topic: String) -> JSON.Value? {
        state.withLock { $0.retained[topic] }.flatMap { try? JSON.Value(parsing: $0) }
    }

    /// The topics that hold a retained message.
    public var retainedTopics: Set<String> { Set(state.withLock(\.retained).keys) }

    /// Clears the log, but not the retained messages.
    public func clearLog() { state.withLock { $0.log = [] } }

    // MARK: Actions of clients

    func take(_ message: OutgoingMessage, from client: FakeBrokerClient) {
        state.withLock { $0.log.append(Delivery(client: client.name, message: message)) }
        if message.policy == .state { retain(message.topic, message.payload) }
        let incoming = IncomingMessage(
            topic: message.topic, payload: message.payload, isRetained: message.policy == .state,
            arrival: time.now)
        deliver(incoming, exceptTo: client)
        client.deliverOwn(incoming)
    }

    func deliver(_ message: IncomingMessage, exceptTo sender: FakeBrokerClient) {
        for other in state.withLock(\.clients) where other !== sender { other.deliver(message) }
    }

    var now: Duration { time.now }

    func deliverRetained(_ filter: TopicFilter, to client: FakeBrokerClient) {
        let messages = state.withLock { state in
            guard filter.hasWildcards else {
                return state.retained[filter.filter].map { [filter.filter: $0] } ?? [:]
            }
            return state.retained.filter { filter.matches($0.key) }
        }
        for (topic, payload) in messages.sorted(by: { $0.key < $1.key }) {
            client.deliver(
                IncomingMessage(topic: topic, payload: payload, isRetained: true, arrival: time.now),
                isStored: true)
        }
    }

    private func retain(_ topic: String, _ payload: [UInt8]) {
        state.withLock { $0.retained[topic] = payload.isEmpty ? nil : payload }
    }
}
