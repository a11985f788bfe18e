import BridgeContract
import Messages
import Synchronization

// Probes that the bridge sends to the broker and receives again.
extension FakeBrokerClient {
    /// How the connection treats a probe.
    public enum ProbeFate: Sendable {
        /// The probe is delivered at once to all subscribers.
        case delivered
        /// The probe is sent, but delivered only by ``releaseProbes()``.
        case held
        /// The probe is sent and lost.
        case dropped
        /// The probe waits for the socket and is not sent.
        case unsent
    }

    /// A message that measures the latency to the broker and back.
    public struct Probe: Hashable, Sendable {
        /// The topic.
        public var topic: String
        /// The payload.
        public var payload: [UInt8]
    }

    /// Sets the fate of future probes.
    public func setProbeFate(_ fate: ProbeFate) { state.withLock { $0.probeFate = fate } }

    /// The probes that were sent, in order.
    public var probes: [Probe] { state.withLock(\.probes) }

    /// Delivers the held probes in order, and processes all consequences.
    public func releaseProbes() {
        broker.executor.perform {
            let held = state.withLock { state in
                defer { state.heldProbes = [] }
                return state.heldProbes
            }
            for probe in held { deliver(probe) }
        }
    }

    /// Sends a message to its subscribers, including this client if it subscribes to its own messages.
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
