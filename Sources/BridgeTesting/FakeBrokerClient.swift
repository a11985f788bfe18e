public import BridgeCore
import Synchronization

/// One connection to a ``FakeBroker``, with the outbox that the port promises.
public final class FakeBrokerClient: Broker {
    private struct State {
        var isConnected = false
        var filters: [TopicFilter] = []
        var states: [OutgoingMessage] = []
        var waitingEvents: [OutgoingMessage] = []
        var input: AsyncStream<BrokerEvent>.Continuation?
    }

    /// The client's name in the broker's log.
    public let name: String
    private let broker: FakeBroker
    private let state = Mutex(State())

    init(name: String, broker: FakeBroker) {
        self.name = name
        self.broker = broker
    }

    // MARK: What a test does

    /// Makes the connection: what holds is published, what waited is sent, retained messages arrive.
    public func connect(version: String = "MQTT 5") {
        broker.executor.perform {
            let due = state.withLock { state in
                state.isConnected = true
                defer { state.waitingEvents = [] }
                return state.states + state.waitingEvents
            }
            yield(.connected(version: version))
            for message in due { broker.take(message, from: self) }
            for filter in filters { broker.deliverRetained(filter, to: self) }
        }
    }

    /// Loses the connection.
    public func lose(_ reason: String = "connection reset") {
        broker.executor.perform {
            state.withLock { $0.isConnected = false }
            yield(.lost(reason: reason))
        }
    }

    /// Tells of a refusal.
    public func refuse(_ topic: String, _ reason: String) {
        broker.executor.perform { yield(.refused(topic: topic, reason: reason)) }
    }

    /// What is subscribed.
    public var filters: [TopicFilter] { state.withLock(\.filters) }

    // MARK: The port

    /// Hands a message to the broker, or keeps it by its policy.
    public func publish(_ message: OutgoingMessage) {
        let isConnected = state.withLock { state in
            if message.policy == .state {
                state.states.removeAll { $0.topic == message.topic }
                if !message.payload.isEmpty || !state.isConnected { state.states.append(message) }
            }
            if message.policy == .event, !state.isConnected { state.waitingEvents.append(message) }
            return state.isConnected
        }
        if isConnected { broker.take(message, from: self) }
    }

    /// Publishes topics no more after a connect.
    public func release(_ topics: [String]) {
        state.withLock { state in state.states.removeAll { topics.contains($0.topic) } }
    }

    /// Subscribes, now or at the next connect.
    public func subscribe(_ filters: [TopicFilter]) {
        let isConnected = state.withLock { state in
            state.filters.removeAll { old in filters.contains { $0.filter == old.filter } }
            state.filters += filters
            return state.isConnected
        }
        guard isConnected else { return }
        for filter in filters { broker.deliverRetained(filter, to: self) }
    }

    /// Ends subscriptions.
    public func unsubscribe(_ filters: [String]) {
        state.withLock { state in state.filters.removeAll { filters.contains($0.filter) } }
    }

    /// Tells what happens from now on.
    public func events() async -> AsyncStream<BrokerEvent> {
        let (stream, input) = AsyncStream.makeStream(of: BrokerEvent.self)
        state.withLock { $0.input = input }
        return stream
    }

    func deliver(_ message: IncomingMessage) {
        let isWanted = state.withLock { state in
            state.isConnected && state.filters.contains { $0.matches(message.topic) }
        }
        if isWanted { yield(.message(message)) }
    }

    private func yield(_ event: BrokerEvent) { state.withLock(\.input)?.yield(event) }
}
