import BridgeContract
import EventLoop
import Logging
import MQTT
import Messages
import ServiceLifecycle
import Synchronization

/// The port `Broker` over an MQTT client.
///
/// The client calls back on the loop, and the bridge is called at once: it runs on the same loop. Only what the client
/// has to say within a call of the bridge waits until that call is over, and what it says before the bridge listens.
struct MQTTBroker: Broker, Service {
    let client: MQTT.Client
    private let calls = Calls()

    /// The calls of the bridge that are under way, and what waits for their end.
    private final class Calls: Sendable {
        /// The bridge's handler: in an object, since a closure that leaves the lock would be wrapped once more each time.
        private final class Listener: Sendable {
            let handler: @Sendable (BrokerEvent) -> Void

            init(_ handler: @escaping @Sendable (BrokerEvent) -> Void) { self.handler = handler }
        }

        private struct State {
            var depth = 0
            var waiting: [BrokerEvent] = []
            /// Nil until the bridge listens.
            var listener: Listener?
        }

        private let state = Mutex(State())

        func set(_ handler: @escaping @Sendable (BrokerEvent) -> Void, on loop: EventLoop) {
            state.withLock { $0.listener = Listener(handler) }
            loop.execute { self.tellWaiting() }
        }

        /// Calls the client for the bridge.
        func during(_ loop: EventLoop, _ call: () -> Void) {
            state.withLock { $0.depth += 1 }
            call()
            let mustTell = state.withLock { state in
                state.depth -= 1
                return state.depth == 0 && !state.waiting.isEmpty
            }
            if mustTell { loop.execute { self.tellWaiting() } }
        }

        /// Tells the bridge of an event: at once, unless it is calling, or others wait already.
        func tell(_ event: BrokerEvent) {
            let listener = state.withLock { state in
                guard state.depth == 0, state.waiting.isEmpty, let listener = state.listener else {
                    state.waiting.append(event)
                    return nil as Listener?
                }
                return listener
            }
            listener?.handler(event)
        }

        private func tellWaiting() {
            while let (event, listener) = state.withLock({ state in
                state.waiting.isEmpty ? nil : state.listener.map { (state.waiting.removeFirst(), $0) }
            }) {
                listener.handler(event)
            }
        }
    }

    init(_ client: MQTT.Client) {
        self.client = client
        client.onMessage { [calls] in calls.tell(.message($0)) }
        client.onEvent { [calls] event in
            switch event {
            case .connected(let connection):
                calls.tell(.connected(version: "MQTT \(connection.version.rawValue)"))
            case .disconnected(let error, _): calls.tell(.lost(reason: "\(error)"))
            case .subscribeRefused(let filter, let reason):
                calls.tell(.subscriptionRefused(filter: filter, reason: reason.description))
            case .subscribed(let filter, let qos): calls.tell(.subscribed(filter: filter, qos: qos))
            case .publishRefused(let topic, let reason):
                calls.tell(.refused(topic: topic, reason: reason.description))
            case .messageRefused(let message, let reason):
                calls.tell(.messageRefused(message, reason: reason.description))
            case .publishAccepted(let topic): calls.tell(.accepted(topic: topic))
            case .replyUnconfirmed(let topic): calls.tell(.replyUnconfirmed(topic: topic))
            case .eventsDropped(_, let topic):
                calls.tell(.refused(topic: topic, reason: "the queue of events is full"))
            }
        }
    }

    func onEvent(_ handler: @escaping @Sendable (BrokerEvent) -> Void) {
        calls.set(handler, on: client.loop)
    }

    func publish(_ message: OutgoingMessage) {
        calls.during(client.loop) { client.publish(message) }
    }

    func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void) {
        calls.during(client.loop) { client.probe(topic, payload: payload, sent: sent) }
    }

    func release(_ topics: [String]) { calls.during(client.loop) { client.release(topics) } }

    func restore(_ topic: String, insteadOf payload: [UInt8]) {
        calls.during(client.loop) { client.restore(topic, insteadOf: payload) }
    }

    func holdBack(_ isHeldBack: Bool) { calls.during(client.loop) { client.holdBack(isHeldBack) } }

    func subscribe(_ filters: [TopicFilter]) {
        calls.during(client.loop) { client.subscribe(filters) }
    }

    func unsubscribe(_ filters: [String]) {
        calls.during(client.loop) { client.unsubscribe(filters) }
    }

    func drainAndReconnect() { calls.during(client.loop) { client.drainAndReconnect() } }

    func retryRefused() { calls.during(client.loop) { client.retryRefused() } }

    func statistics() async -> BrokerStatistics {
        await client.takeStatistics()
    }

    /// Keeps the connection until the group shuts down, then lets go of the broker in good order.
    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await client.run() }
            try? await gracefulShutdown()
            _ = await client.close(within: .seconds(2))
        }
    }
}
