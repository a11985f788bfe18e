import BridgeContract
import Messages
import Synchronization

// How probes fare on their way to the broker and back.
extension FakeBrokerClient {
    /// What becomes of a probe on its way.
    public enum ProbeFate: Sendable {
        /// The broker has it at once, and so have those who subscribed to it.
        case delivered
        /// It is sent, and delivered when the test says so: ``releaseProbes()``.
        case held
        /// It is sent, and lost.
        case dropped
        /// It waits for the socket: it is not sent.
        case unsent
    }

    /// A message that measures the way to the broker and back.
    public struct Probe: Hashable, Sendable {
        /// The topic.
        public var topic: String
        /// The payload.
        public var payload: [UInt8]
    }

    /// Says what becomes of the probes from now on.
    public func setProbeFate(_ fate: ProbeFate) { state.withLock { $0.probeFate = fate } }

    /// The probes that were sent, in order.
    public var probes: [Probe] { state.withLock(\.probes) }

    /// Delivers the probes that were held, in order, and lets all that follows happen.
    public func releaseProbes() {
        broker.executor.perform {
            let held = state.withLock { state in
                defer { state.heldProbes = [] }
                return state.heldProbes
            }
            for probe in held { deliver(probe) }
        }
    }

    /// Sends a message to those who subscribed to it, this client among them if it wants its own.
    public func probe(_ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void) {
        let probe = Probe(topic: topic, payload: payload)
        let fate: ProbeFate? = state.withLock { state in
            guard state.isConnected, state.probeFate != .unsent else { return nil }
            state.probes.append(probe)
            if state.probeFate == .held { state.heldProbes.append(probe) }
            return state.probeFate
        }
        guard let fate else { return }
        sent(broker.now)
        if fate == .delivered { deliver(probe) }
    }

    private func deliver(_ probe: Probe) {
        let message = IncomingMessage(topic: probe.topic, payload: probe.payload, arrival: broker.now)
        broker.deliver(message, exceptTo: self)
        let isWanted = state.withLock { state in
            state.isConnected && state.takes(probe.topic) { $0.receivesOwn }
        }
        if isWanted { handOver(message) }
    }
}
