import BridgeContract
import Messages
import Synchronization

// Held-back messages, restored topics, and unconfirmed answers.
extension FakeBrokerClient {
    /// A topic that the bridge asked to publish again.
    public struct Restored: Hashable, Sendable {
        /// The topic.
        public var topic: String
        /// The payload that another client published there.
        public var payload: [UInt8]
    }

    /// Enables ``holdBack(_:)``, which has no effect by default.
    public func obeyHolding() { state.withLock { $0.obeysHolding = true } }

    /// Whether messages are held back.
    public var isHeldBack: Bool { state.withLock(\.isHeldBack) }

    /// The topics that the bridge asked to publish again.
    public var restored: [Restored] { state.withLock(\.restored) }

    /// Reports an answer that was not confirmed when the connection ended.
    public func leaveUnconfirmed(_ topic: String) {
        broker.executor.perform { yield(.replyUnconfirmed(topic: topic)) }
    }

    /// Holds messages back, or sends the messages that were held back.
    public func holdBack(_ isHeldBack: Bool) {
        let due = state.withLock { state -> [OutgoingMessage] in
            guard state.obeysHolding else { return [] }
            let wasHeldBack = state.isHeldBack
            state.isHeldBack = isHeldBack
            guard wasHeldBack, !isHeldBack, state.isConnected else { return [] }
            defer { state.waitingEvents = [] }
            return state.states + state.waitingEvents
        }
        for message in due { broker.take(message, from: self) }
    }

    /// Records a request to restore a topic, if this client publishes another payload there.
    public func restore(_ topic: String, insteadOf payload: [UInt8]) {
        state.withLock { state in
            guard state.states.contains(where: { $0.topic == topic && $0.payload != payload }) else { return }
            state.restored.append(Restored(topic: topic, payload: payload))
        }
    }
}
