import EventLoop

// Measuring the way to the broker and back.
extension Client {
    /// Sends a message of QoS 0, not retained, ahead of everything that waits; from any thread.
    ///
    /// It is handed over only when the socket has taken everything before it, so that its time is that of the socket; where
    /// one still waits for that, the newer replaces it. Without a connection nothing is sent, and none outlives its
    /// connection.
    ///
    /// - Parameter sent: Called on the loop's thread, possibly before this returns, with the time (`EventLoop.now`) at which
    ///   the message was handed to the socket; never called where it was not.
    public nonisolated func probe(
        _ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void
    ) {
        perform { client in
            guard case .connected = client.phase else { return }
            client.lastProbe = EventLoop.now
            guard !client.outbox.suspicion.isRejected(topic), !client.outbox.suspicion.isWithheld(topic)
            else {
                return
            }
            client.outbox.waitingProbe = topic
            client.waitingProbe = Probe(topic: topic, payload: payload, sent: sent)
            client.settleIfConnected()
        }
    }

    func handOverProbe(_ connection: Connection) {
        guard let probe = waitingProbe, connection.hasWrittenAll, outbox.mayProbe else { return }
        waitingProbe = nil
        outbox.handedOverProbe(probe.topic, at: EventLoop.now)
        probeSent = probe.sent
        connection.send(probe: probe)
    }
}
