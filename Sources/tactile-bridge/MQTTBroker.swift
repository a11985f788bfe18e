import BridgeCore
import Logging
import MQTT
import ServiceLifecycle
import Synchronization

/// The port `Broker` over an MQTT client.
///
/// The client calls back on the loop; what it says waits in a bounded stream for the bridge, which runs on the
/// same loop and takes it in its next round.
struct MQTTBroker: Broker, Service {
    /// How many messages may wait for the bridge; what comes then is dropped, which is logged once each time.
    private static let capacity = 10_000

    let client: MQTT.Client
    private let stream: AsyncStream<BrokerEvent>
    private let urgent = Urgent()
    private let dropped = Dropped()

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

    /// How many messages found too many waiting for the bridge.
    private final class Dropped: Sendable { let count = Atomic(0) }

    init(_ client: MQTT.Client, logger: Logger) {
        self.client = client
        let (stream, input) = AsyncStream.makeStream(
            of: BrokerEvent.self, bufferingPolicy: .bufferingOldest(Self.capacity))
        self.stream = stream
        let isFull = Atomic(false)
        client.onMessage { [urgent, dropped] message in
            if let handler = urgent.handler(of: message.topic) {
                return handler(BridgeCore.IncomingMessage(message))
            }
            let result = input.yield(.message(BridgeCore.IncomingMessage(message)))
            let isDropped = if case .dropped = result { true } else { false }
            if isDropped { dropped.count.add(1, ordering: .relaxed) }
            let wasFull = isFull.exchange(isDropped, ordering: .relaxed)
            guard isDropped, !wasFull else { return }
            logger.error(
                "Messages come faster than they are carried out; the newest are dropped",
                metadata: ["topic": "\(message.topic)"])
        }
        client.onEvent { event in
            switch event {
            case .connected(let connection):
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
        client.subscribe(filters.map { Subscription($0.filter, qos: $0.qos, receivesOwn: $0.receivesOwn) })
    }

    func unsubscribe(_ filters: [String]) { client.unsubscribe(filters) }

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
