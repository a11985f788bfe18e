import BridgeContract
import EventLoop
import MQTT
import Messages
import ServiceLifecycle

/// Implements the port `Broker` with an MQTT client. Runs on the client's event loop, like the bridge.
///
/// The client reports its events on the event loop, and they are passed to the bridge immediately. Only an event that
/// the client reports while the bridge calls the client waits until this call returns. All events wait until the bridge
/// has set its handler.
actor MQTTBroker: Broker, Service {
    nonisolated let client: MQTT.Client
    /// The number of calls from the bridge to the client that are in progress, nested in each other.
    private var depth = 0
    private var waiting: [BrokerEvent] = []
    /// The handler of the bridge; nil until the bridge has set it.
    private var listener: (@Sendable (BrokerEvent) -> Void)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { client.loop.asUnownedSerialExecutor() }

    init(_ client: MQTT.Client) {
        self.client = client
        // The handlers retain this object. The reference cycle ends when the client is closed, because it then releases
        // its handlers.
        client.onMessage { message in self.enter(with: message) { $0.report(.message($1)) } }
        client.onEvent { event in self.enter(with: event) { $0.report(BrokerEvent($1)) } }
    }

    /// Calls the client on behalf of the bridge. Events that the client reports during the call wait until it has
    /// returned.
    private func call(_ body: (MQTT.Client) -> Void) {
        depth += 1
        body(client)
        depth -= 1
        if depth == 0, !waiting.isEmpty { reportSoon() }
    }

    private nonisolated func perform(_ body: @Sendable (MQTT.Client) -> Void) {
        assumeIsolated { $0.call(body) }
    }

    /// Reports an event to the bridge. The event waits if the bridge is calling the client, or if other events are
    /// already waiting.
    private func report(_ event: BrokerEvent) {
        guard depth == 0, waiting.isEmpty, let listener else { return waiting.append(event) }
        listener(event)
    }

    private nonisolated func reportSoon() {
        client.loop.execute {
            self.assumeIsolated { broker in
                while let listener = broker.listener, !broker.waiting.isEmpty {
                    listener(broker.waiting.removeFirst())
                }
            }
        }
    }

    nonisolated func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void) {
        assumeIsolated { $0.listener = handler }
        reportSoon()
    }

    nonisolated func publish(_ message: OutgoingMessage) {
        enter(with: message) { broker, message in broker.call { $0.publish(message) } }
    }

    nonisolated func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void) {
        perform { $0.probe(topic, payload: payload, sent: sent) }
    }

    nonisolated func release(_ topics: [String]) { perform { $0.release(topics) } }

    nonisolated func restore(_ topic: String, insteadOf payload: [UInt8]) {
        perform { $0.restore(topic, insteadOf: payload) }
    }

    nonisolated func holdBack(_ isHeldBack: Bool) { perform { $0.pauseSending(isHeldBack) } }

    nonisolated func subscribe(_ filters: [TopicFilter]) { perform { $0.subscribe(filters) } }

    nonisolated func unsubscribe(_ filters: [String]) { perform { $0.unsubscribe(filters) } }

    nonisolated func drainAndReconnect() { perform { $0.drainAndReconnect() } }

    nonisolated func retryRefused() { perform { $0.retryRefused() } }

    nonisolated func statistics() async -> BrokerStatistics { await client.takeStatistics() }

    /// Keeps the connection to the broker until the service group shuts down, then disconnects cleanly.
    nonisolated func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.client.run() }
            try? await gracefulShutdown()
            _ = await client.close(within: .seconds(2))
        }
    }
}

extension BrokerEvent {
    fileprivate init(_ event: MQTT.Event) {
        switch event {
        case .connected(let connection): self = .connected(version: "MQTT \(connection.version.rawValue)")
        case .disconnected(let error, _): self = .lost(reason: "\(error)")
        case .subscribeRefused(let filter, let reason):
            self = .subscriptionRefused(filter: filter, reason: reason.description)
        case .subscribed(let filter, let qos): self = .subscribed(filter: filter, qos: qos)
        case .publishRefused(let topic, let reason):
            self = .refused(topic: topic, reason: reason.description)
        case .messageRefused(let message, let reason):
            self = .messageRefused(message, reason: reason.description)
        case .publishAccepted(let topic): self = .accepted(topic: topic)
        case .replyUnconfirmed(let topic): self = .replyUnconfirmed(topic: topic)
        case .eventsDropped(_, let topic):
            self = .refused(topic: topic, reason: "the queue of events is full")
        }
    }
}
