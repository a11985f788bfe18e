import BridgeCore
import EventLoop
import Logging
import MQTT
import ServiceLifecycle
import Synchronization

/// The port `Broker` over an MQTT client.
///
/// The client calls back on the loop; what it says waits in a bounded stream for the bridge, which runs on the
/// same loop and takes it in its next round.
struct MQTTBroker: Broker, Service {
    /// How many messages may wait for the bridge; what comes then is dropped, which is logged once each time, but for the
    /// newest of topics of which that says all.
    private static let capacity = 10_000
    /// How long what found no room waits before it is tried again.
    private static let overflowInterval = Duration.milliseconds(20)

    let client: MQTT.Client
    private let stream: AsyncStream<BrokerEvent>
    private let urgent = Urgent()
    private let dropped = Dropped()
    private let overflow = Overflow()

    /// The topics whose messages do not wait, and who takes them.
    private final class Urgent: Sendable {
        typealias Handler = @Sendable (BridgeCore.IncomingMessage) -> Void

        private let entry = Mutex<(topics: Set<String>, handler: Handler)>(([], { _ in }))

        func set(_ topics: Set<String>, _ handler: @escaping Handler) {
            entry.withLock { $0 = (topics, handler) }
        }

        func handler(of topic: String) -> Handler? {
            entry.withLock { $0.topics.contains(topic) ? $0.handler : nil }
        }
    }

    /// What found no room, and where it is to go.
    private final class Overflow: Sendable {
        private let state = Mutex((kept: StateOverflow(), isArmed: false))

        /// Does something with what is kept.
        func callAsFunction<Result>(_ body: (inout StateOverflow) -> Result) -> Result {
            state.withLock { body(&$0.kept) }
        }

        /// Tries again in a while to hand over what is kept, until it is gone; once, however often it is called.
        func empty(into input: AsyncStream<BrokerEvent>.Continuation, on loop: EventLoop) {
            let isNew = state.withLock { state in
                defer { state.isArmed = true }
                return !state.isArmed
            }
            guard isNew else { return }
            _ = loop.schedule(after: MQTTBroker.overflowInterval) {
                let isEmpty = self.state.withLock { state in
                    state.isArmed = false
                    state.kept.empty { message in
                        if case .enqueued = input.yield(.message(message)) { true } else { false }
                    }
                    return state.kept.isEmpty
                }
                if !isEmpty { self.empty(into: input, on: loop) }
            }
        }
    }

    /// How many messages found too many waiting for the bridge.
    private final class Dropped: Sendable { let count = Atomic(0) }

    init(_ client: MQTT.Client, logger: Logger) {
        self.client = client
        let (stream, input) = AsyncStream.makeStream(
            of: BrokerEvent.self, bufferingPolicy: .bufferingOldest(Self.capacity))
        self.stream = stream
        let isFull = Atomic(false)
        client.onMessage { [urgent, dropped, overflow, loop = client.loop] message in
            let message = BridgeCore.IncomingMessage(message)
            if let handler = urgent.handler(of: message.topic) { return handler(message) }
            if overflow({ $0.replace(message) }) { return }
            let result = input.yield(.message(message))
            var isDropped = if case .dropped = result { true } else { false }
            if isDropped, overflow({ $0.keep(message) }) {
                isDropped = false
                overflow.empty(into: input, on: loop)
            }
            if isDropped { dropped.count.add(1, ordering: .relaxed) }
            let wasFull = isFull.exchange(isDropped, ordering: .relaxed)
            guard isDropped, !wasFull else { return }
            logger.error(
                "Messages come faster than they are carried out; the newest are dropped",
                metadata: ["topic": "\(message.topic)"])
        }
        client.onEvent { [overflow] event in
            switch event {
            case .connected(let connection):
                overflow { $0.clear() }
                input.yield(.connected(version: "MQTT \(connection.version.rawValue)"))
            case .disconnected(let error, _): input.yield(.lost(reason: "\(error)"))
            case .subscribeRefused(let filter, let reason):
                input.yield(.subscriptionRefused(filter: filter, reason: reason.description))
            case .subscribed(let filter, let qos): input.yield(.subscribed(filter: filter, qos: qos))
            case .publishRefused(let topic, let reason):
                input.yield(.refused(topic: topic, reason: reason.description))
            case .publishAccepted(let topic): input.yield(.accepted(topic: topic))
            case .eventsDropped(_, let topic):
                input.yield(.refused(topic: topic, reason: "the queue of events is full"))
            }
        }
    }

    func publish(_ message: OutgoingMessage) {
        let policy: MQTT.Message.Policy =
            switch message.policy {
            case .state: .state
            case .event: .event
            case .stream: .stream
            case .reply(let correlation): .reply(correlationData: correlation)
            }
        client.publish(MQTT.Message(topic: message.topic, payload: message.payload, policy: policy))
    }

    func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void) {
        client.probe(topic, payload: payload, sent: sent)
    }

    func release(_ topics: [String]) { client.release(topics) }

    func subscribe(_ filters: [TopicFilter]) {
        overflow { $0.learn(filters) }
        client.subscribe(
            filters.map { filter in
                Subscription(
                    filter.filter, qos: filter.qos, receivesOwn: filter.receivesOwn,
                    tellsStored: filter.tellsStored)
            })
    }

    func unsubscribe(_ filters: [String]) {
        overflow { $0.forget(filters) }
        client.unsubscribe(filters)
    }

    func expedite(
        _ topics: Set<String>, to handler: @escaping @Sendable (BridgeCore.IncomingMessage) -> Void
    ) {
        urgent.set(topics, handler)
    }

    func renew() { client.renew() }

    func retryRefused() { client.retryRefused() }

    func statistics() async -> BrokerStatistics {
        BrokerStatistics(await client.takeStatistics(), undelivered: dropped.count.load(ordering: .relaxed))
    }

    func events() async -> AsyncStream<BrokerEvent> { stream }

    /// Keeps the connection until the group shuts down, then lets go of the broker in good order.
    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await client.run() }
            try? await gracefulShutdown()
            _ = await client.close(within: .seconds(2))
        }
    }
}

extension BrokerStatistics {
    fileprivate init(_ statistics: MQTT.Statistics, undelivered: Int) {
        self.init()
        (received, sent, acknowledged) = (statistics.received, statistics.sent, statistics.acknowledged)
        (repeated, reconnects) = (statistics.repeated, statistics.reconnects)
        (queueDepth, inFlight) = (statistics.queueDepth, statistics.inFlight)
        missingSubscriptions = statistics.missingSubscriptions
        rejectedTopics = statistics.rejectedTopics
        dropped = Dropped(
            incoming: undelivered, events: statistics.dropped.events, streams: statistics.dropped.streams,
            replies: statistics.dropped.replies, refused: statistics.dropped.refused)
        latency = Latencies(
            count: statistics.latency.count, median: statistics.latency.median,
            percentile99: statistics.latency.percentile99, maximum: statistics.latency.maximum)
    }
}

extension BridgeCore.IncomingMessage {
    fileprivate init(_ message: MQTT.IncomingMessage) {
        self.init(
            topic: message.topic, payload: message.payload, payloadSize: message.payloadSize,
            isRetained: message.retain,
            responseTopic: message.responseTopic, correlation: message.correlationData,
            expirySeconds: message.messageExpiry, arrival: message.arrival)
    }
}
