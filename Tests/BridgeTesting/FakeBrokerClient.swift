public import BridgeContract
public import Messages
import Synchronization

/// One connection to a ``FakeBroker``, with the outbox that the port promises.
public final class FakeBrokerClient: Broker {
    struct State {
        var isConnected = false
        var subscriptions = FakeSubscriptions()
        var states: [OutgoingMessage] = []
        var waitingEvents: [OutgoingMessage] = []
        var statistics = BrokerStatistics()
        var handler: (@Sendable (BrokerEvent) -> Void)?
        var renewals = 0
        var retries = 0
        var refusedFilters: [String: String] = [:]
        var probes: [Probe] = []
        var probeFate = ProbeFate.delivered
        var heldProbes: [Probe] = []
        var sendsCopies = false
        /// Whether a subscription for MQTT 5 alone counts, or one for MQTT 3.1.1.
        var version = TopicFilter.Version.five
        var obeysHolding = false
        var isHeldBack = false
        var restored: [Restored] = []

        /// The granted subscriptions that cover a topic.
        func covering(_ topic: String) -> [TopicFilter] {
            subscriptions.covering(topic).filter { refusedFilters[$0.filter] == nil && isMade($0) }
        }

        /// Whether a subscription is made with the version that is spoken.
        func isMade(_ filter: TopicFilter) -> Bool { filter.version.map { $0 == version } ?? true }

        /// Whether a granted subscription of some kind covers a topic.
        func takes(_ topic: String, where isMeant: (TopicFilter) -> Bool) -> Bool {
            covering(topic).contains(where: isMeant)
        }
    }

    /// The client's name in the broker's log.
    public let name: String
    let broker: FakeBroker
    let state = Mutex(State())

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
                state.version = version == "MQTT 5" ? .five : .three
                guard !state.isHeldBack else { return [] as [OutgoingMessage] }
                defer { state.waitingEvents = [] }
                return state.states + state.waitingEvents
            }
            yield(.connected(version: version))
            for message in due { broker.take(message, from: self) }
            for filter in filters { answer(filter) }
        }
    }

    /// Loses the connection, with the probes that are under way.
    public func lose(_ reason: String = "connection reset") {
        broker.executor.perform {
            state.withLock { ($0.isConnected, $0.heldProbes) = (false, []) }
            yield(.lost(reason: reason))
        }
    }

    /// Refuses the subscriptions to a filter from now on; one that stands is refused as after a new connection.
    public func refuseSubscription(_ filter: String, _ reason: String = "not authorized") {
        broker.executor.perform {
            let isWanted = state.withLock { state in
                state.refusedFilters[filter] = reason
                return state.isConnected && state.subscriptions[filter] != nil
            }
            if isWanted { yield(.subscriptionRefused(filter: filter, reason: reason)) }
        }
    }

    /// Grants the subscriptions to a filter again: one that is wanted is tried again at once.
    public func grantSubscription(_ filter: String) {
        broker.executor.perform {
            let wanted = state.withLock { state in
                state.refusedFilters[filter] = nil
                return state.isConnected ? state.subscriptions[filter] : nil
            }
            if let wanted { answer(wanted) }
        }
    }

    /// Tells of a refusal.
    public func refuse(_ topic: String, _ reason: String) {
        broker.executor.perform { yield(.refused(topic: topic, reason: reason)) }
    }

    /// Tells that a message is refused for good.
    public func refuse(_ message: OutgoingMessage, _ reason: String) {
        broker.executor.perform { yield(.messageRefused(message, reason: reason)) }
    }

    /// Tells that a topic is refused no more.
    public func accept(_ topic: String) {
        broker.executor.perform { yield(.accepted(topic: topic)) }
    }

    /// Hands over a message that was under way when its subscription ended, and lets all that follows happen.
    public func deliverLate(_ topic: String, _ payload: String) {
        broker.executor.perform {
            yield(.message(IncomingMessage(topic: topic, payload: Array(payload.utf8), arrival: .zero)))
        }
    }

    /// Sends a message once for each subscription that covers its topic from now on, as Mosquitto does over MQTT 5.
    public func sendCopies() { state.withLock { $0.sendsCopies = true } }

    /// How often the bridge asked for a new connection; the test makes it.
    public var renewals: Int { state.withLock(\.renewals) }

    /// Counts the wish for a new connection.
    public func drainAndReconnect() { state.withLock { $0.renewals += 1 } }

    /// How often the bridge asked to try again what was refused.
    public var retries: Int { state.withLock(\.retries) }

    /// Counts the wish to try again what was refused.
    public func retryRefused() { state.withLock { $0.retries += 1 } }

    /// What is subscribed.
    public var filters: [TopicFilter] { state.withLock(\.subscriptions.all) }

    // MARK: The port

    /// Hands a message to the broker, or keeps it by its policy.
    public func publish(_ message: OutgoingMessage) {
        let isConnected = state.withLock { state in
            if message.policy == .state {
                state.states.removeAll { $0.topic == message.topic }
                if !message.payload.isEmpty || !state.isConnected { state.states.append(message) }
            }
            let isSent = state.isConnected && !state.isHeldBack
            if message.policy == .event, !isSent { state.waitingEvents.append(message) }
            return isSent
        }
        if isConnected { broker.take(message, from: self) }
    }

    /// Publishes topics no more after a connect.
    public func release(_ topics: [String]) {
        state.withLock { state in state.states.removeAll { topics.contains($0.topic) } }
    }

    /// Subscribes, now or at the next connect.
    public func subscribe(_ filters: [TopicFilter]) {
        let (isConnected, new) = state.withLock { state in
            (state.isConnected, filters.filter { state.subscriptions.add($0) })
        }
        guard isConnected else { return }
        for filter in new { answer(filter) }
    }

    /// Grants a subscription, unless a test wants it refused.
    private func answer(_ filter: TopicFilter) {
        guard state.withLock({ $0.isMade(filter) }) else { return }
        if let reason = state.withLock({ $0.refusedFilters[filter.filter] }) {
            return yield(.subscriptionRefused(filter: filter.filter, reason: reason))
        }
        yield(.subscribed(filter: filter.filter, qos: filter.qos))
        if !filter.skipsStored { broker.deliverRetained(filter, to: self) }
    }

    /// Ends subscriptions.
    public func unsubscribe(_ filters: [String]) {
        state.withLock { state in for filter in filters { state.subscriptions.remove(filter) } }
    }

    /// Sets what is counted.
    public func set(_ statistics: BrokerStatistics) { state.withLock { $0.statistics = statistics } }

    /// What a test said, or nothing.
    public func statistics() async -> BrokerStatistics { state.withLock(\.statistics) }

    /// Tells what happens from now on.
    public func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Gives a message of which each subscription that covers its topic may bring a copy.
    func deliver(_ message: IncomingMessage, isStored: Bool = false) {
        let (covering, sendsCopies) = state.withLock { state in
            (state.isConnected ? state.covering(message.topic) : [], state.sendsCopies)
        }
        var message = message
        if covering.contains(where: \.tellsStored) { message.isRetained = isStored }
        for _ in sendsCopies ? covering[...] : covering.prefix(1) { handOver(message) }
    }

    /// Gives a message back to the one who published it, if it wants its own.
    func deliverOwn(_ message: IncomingMessage) {
        let (isWanted, tellsStored) = state.withLock { state in
            (
                state.isConnected && state.takes(message.topic) { $0.receivesOwn },
                state.takes(message.topic) { $0.tellsStored }
            )
        }
        var message = message
        if tellsStored { message.isRetained = false }
        if isWanted { handOver(message) }
    }

    func handOver(_ message: IncomingMessage) { yield(.message(message)) }

    /// Tells of an event, behind what runs now: never within a call of the port.
    func yield(_ event: BrokerEvent) {
        broker.executor.later { self.state.withLock(\.handler)?(event) }
    }
}
