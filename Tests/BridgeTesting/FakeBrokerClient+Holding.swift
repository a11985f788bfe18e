import BridgeContract
import Messages
import Synchronization

// Messages that are held back, topics that are published again, and answers that were not confirmed.
extension FakeBrokerClient {
    /// A topic that the bridge wants published again.
    public struct Restored: Hashable, Sendable {
        /// The topic.
        public var topic: String
        /// What another client has published there.
        public var payload: [UInt8]
    }

    /// Obeys the bridge from now on when it wants messages held back; by default nothing is held back.
    public func obeyHolding() { state.withLock { $0.obeysHolding = true } }

    /// Whether messages are held back.
    public var isHeldBack: Bool { state.withLock(\.isHeldBack) }

    /// The topics that the bridge wanted published again.
    public var restored: [Restored] { state.withLock(\.restored) }

    /// Tells that an answer was not confirmed when the connection ended.
    public func leaveUnconfirmed(_ topic: String) {
        broker.executor.perform { yield(.replyUnconfirmed(topic: topic)) }
    }

    /// Holds messages back, or sends those that were.
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

    /// Notes that a topic is to be published again, if this client publishes something else there.
    public func restore(_ topic: String, insteadOf payload: [UInt8]) {
        state.withLock { state in
            guard state.states.contains(where: { $0.topic == topic && $0.payload != payload }) else { return }
            state.restored.append(Restored(topic: topic, payload: payload))
        }
    }
}
