import EventLoop
import Logging

// Publishing again what another client has emptied or overwritten.
extension Client {
    /// Publishes a retained topic again, soon, unless `payload` is what this client has published there; from any thread.
    ///
    /// Nothing happens for a topic that this client does not publish, or that it releases in time.
    ///
    /// - Parameter payload: What another client has published, retained; empty where it has cleared the topic.
    public nonisolated func restore(_ topic: String, insteadOf payload: [UInt8]) {
        perform { client in
            guard case .connected = client.phase, client.outbox.differs(topic, from: payload),
                let due = client.overwritten.note(topic, at: EventLoop.now)
            else { return }
            client.restore(at: due)
        }
    }

    private func restore(at moment: Duration) {
        restoreTimer?.cancel()
        restoreTimer = loop.schedule(after: moment - EventLoop.now) { [self] in restoreNow() }
    }

    private func restoreNow() {
        let topics = overwritten.take(at: EventLoop.now).filter(outbox.holds)
        if let next = overwritten.next { restore(at: next) }
        guard let first = topics.first else { return }
        logger.warning(
            "another client has emptied or overwritten retained topics, which are published again",
            metadata: ["topic": "\(first)", "topics": "\(topics.count)"])
        outbox.resume(topics)
        settleIfConnected()
    }

    func stopRestoring() {
        restoreTimer?.cancel()
        overwritten.disconnected()
    }
}

extension Outbox {
    /// Whether a topic has a retained message of ours.
    func holds(_ topic: String) -> Bool { states[topic].map { !$0.isRemoval } ?? false }

    /// Whether a topic has a retained message of ours, and another one than this.
    fileprivate func differs(_ topic: String, from payload: [UInt8]) -> Bool {
        holds(topic) && states[topic]?.payload.bytes != payload
    }
}
