public import BridgeContract
public import Messages
import Synchronization

/// A connection to a ``FakeBroker``, with the outbox that the port promises.
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
        /// The protocol version. Subscriptions that are for the other version only are ignored.
        var version = TopicFilter.Version.five
        var obeysHolding = false
        var isHeldBack = false
        var restored: [Restored] = []

        func covering(_ topic: String) -> [TopicFilter] {
            subscriptions.covering(topic).filter { refusedFilters[$0.filter] == nil && isMade($0) }
        }

        /// Whether a subscription is made with the current protocol version.
        func isMade(_ filter: TopicFilter) -> Bool { filter.version.map { $0 == version } ?? true }

        /// Whether a granted subscription that meets a condition covers a topic.
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

    // MARK: Actions of a test

    /// Connects: publishes the states and the waiting messages, and receives the retained messages.
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

    /// Loses the connection and the probes in flight.
    public func lose(_ reason: String = "connection reset") {
        broker.executor.perform {
            state.withLock { ($0.isConnected, $0.heldProbes) = (false, []) }
            yield(.lost(reason: reason))
        }
    }

    /// Refuses subscriptions to a filter from now on. An existing subscription is refused too, as after a new
    /// connection.
    public func refuseSubscription(_ filter: String, _ reason: String = "not authorized") {
        broker.executor.perform {
            let isWanted = state.withLock { state in
                state.refusedFilters[filter] = reason
                return state.isConnected && state.subscriptions[filter] != nil
            }
            if isWanted { yield(.subscriptionRefused(filter: filter, reason: reason)) }
        }
    }

    /// Grants subscriptions to a filter again. A refused subscription is granted at once.
    public func grantSubscription(_ filter: String) {
        broker.executor.perform {
            let wanted = state.withLock { state in
                state.refusedFilters[filter] = nil
                return state.isConnected ? state.subscriptions[filter] : nil
            }
            if let wanted { answer(wanted) }
        }
    }

    /// Reports the refusal of a topic.
    public func refuse(_ topic: String, _ reason: String) {
        broker.executor.perform { yield(.refused(topic: topic, reason: reason)) }
    }

    /// Reports the permanent refusal of a message.
    public func refuse(_ message: OutgoingMessage, _ reason: String) {
        broker.executor.perform { yield(.messageRefused(message, reason: reason)) }
    }

    /// Reports that a topic is accepted again.
    public func accept(_ topic: String) {
        broker.executor.perform { yield(.accepted(topic: topic)) }
    }

    /// Delivers a message that was in flight when its subscription ended, and processes all consequences.
    public func deliverLate(_ topic: String, _ payload: String) {
        broker.executor.perform {
            yield(.message(IncomingMessage(topic: topic, payload: Array(payload.utf8), arrival: .zero)))
        }
    }

    /// Delivers a message once for each subscription that covers its topic, as Mosquitto does over MQTT 5.
    public func sendCopies() { state.withLock { $0.sendsCopies = true } }

    /// The number of requests for a new connection. The test connects.
    public var renewals: Int { state.withLock(\.renewals) }

    /// Counts a request for a new connection.
    public func drainAndReconnect() { state.withLock { $0.renewals += 1 } }

    /// The number of requests to retry refused messages.
    public var retries: Int { state.withLock(\.retries) }

    /// Counts a request to retry refused messages.
    public func retryRefused() { state.withLock { $0.retries += 1 } }

    /// The current subscriptions.
    public var filters: [TopicFilter] { state.withLock(\.subscriptions.all) }

    // MARK: Port

    /// Sends a message to the broker, or keeps it according to its policy.
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

    /// Stops publishing topics after a connect.
    public func release(_ topics: [String]) {
        state.withLock { state in state.states.removeAll { topics.contains($0.topic) } }
    }

    /// Subscribes now or at the next connect.
    public func subscribe(_ filters: [TopicFilter]) {
        let (isConnected, new) = state.withLock { state in
            (state.isConnected, filters.filter { state.subscriptions.add($0) })
        }
        guard isConnected else { return }
        for filter in new { answer(filter) }
    }

    /// Grants a subscription, unless a test refuses it.
    private func answer(_ filter: TopicFilter) {
        guard state.withLock({ $0.isMade(filter) }) else { return }
        if let reason = state.withLock({ $0.refusedFilters[filter.filter] }) {
            return yield(.subscriptionRefused(filter: filter.filter, reason: reason))
        }
        yield(.subscribed(filter: filter.filter, qos: filter.qos))
        if !filter.skipsStored { broker.deliverRetained(filter, to: self) }
    }

    /// Unsubscribes from filters.
    public func unsubscribe(_ filters: [String]) {
        state.withLock { state in for filter in filters { state.subscriptions.remove(filter) } }
    }

    /// Sets the statistics.
    public func set(_ statistics: BrokerStatistics) { state.withLock { $0.statistics = statistics } }

    /// Returns the statistics that a test set; zeros by default.
    public func statistics() async -> BrokerStatistics { state.withLock(\.statistics) }

    /// Sets the handler of events.
    public func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Delivers a message, with a copy for each covering subscription if ``sendCopies()`` was called.
    func deliver(_ message: IncomingMessage, isStored: Bool = false) {
        let (covering, sendsCopies) = state.withLock { state in
            (state.isConnected ? state.covering(message.topic) : [], state.sendsCopies)
        }
        var message = message
        if covering.contains(where: \.tellsStored) { message.isRetained = isStored }
        for _ in sendsCopies ? covering[...] : covering.prefix(1) { handOver(message) }
    }

    /// Delivers a message to its own publisher, if it subscribes to its own messages.
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

    /// Sends an event after the current job, never within a call of the port.
    func yield(_ event: BrokerEvent) {
        broker.executor.later { self.state.withLock(\.handler)?(event) }
    }
}
