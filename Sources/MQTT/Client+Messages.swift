import EventLoop
import Logging
public import Messages

extension Client {
    /// Publishes a message according to its policy. May be called from any thread, and does not wait.
    ///
    /// On the loop's thread the message is passed to the socket before the call returns, if the broker keeps up.
    public nonisolated func publish(_ message: OutgoingMessage) {
        if loop.isIsolated {
            enter(with: message) { _ = $0.accept($1) }
        } else {
            loop.execute { self.assumeIsolated { _ = $0.accept(message) } }
        }
    }

    /// Publishes a message according to its policy, like ``publish(_:)`` on the loop's thread.
    ///
    /// - Returns: Whether the message was accepted: a reply needs a connection, and an urgent message needs space in
    ///   the queue.
    @discardableResult
    public func accept(_ message: OutgoingMessage) -> Bool {
        if case .closed = phase { return false }
        let isTaken = outbox.enqueue(message, at: EventLoop.now)
        if drops.isDue(outbox.dropped.events) { reportDroppedEvents() }
        settleIfConnected()
        return isTaken
    }

    /// Returns the number of waiting events and replies of one group, the `share` of ``OutgoingMessage``: for example
    /// all messages of one sender.
    public func waitingCount(of share: String) -> Int {
        outbox.waitingMessages.count(of: share) + outbox.urgentMessages.count(of: share)
    }

    /// Pauses or resumes sending; may be called from any thread. While paused, published messages are kept and only
    /// probes are sent.
    ///
    /// Subscriptions work as usual. A client that is closed while paused disconnects without its last will.
    public nonisolated func pauseSending(_ isPaused: Bool) {
        perform { client in
            client.isSendingPaused = isPaused
            client.settleIfConnected()
        }
    }

    /// Pauses or resumes reading. Unread messages stay in the socket; a new connection always reads.
    public nonisolated func pauseReading(_ isPaused: Bool) {
        perform { client in
            guard let connection = client.session?.connection else { return }
            connection.isPaused = isPaused
            connection.updateInterest()
        }
    }

    /// Sends a message with QoS 0, not retained, ahead of all waiting messages. May be called from any thread.
    ///
    /// The message is sent only after the socket has accepted everything before it, so that the reported time is when
    /// the message enters the socket. A newer probe replaces a waiting probe. Without a connection, or if the
    /// connection ends first, the probe is discarded.
    ///
    /// - Parameter sent: Called on the loop's thread, possibly before this method returns, with the time
    ///   (`EventLoop.now`) at which the message was passed to the socket; never called if the message was discarded.
    public nonisolated func probe(
        _ topic: String, payload: [UInt8], sent: @escaping @Sendable (Duration) -> Void
    ) {
        perform { client in
            guard let session = client.session else { return }
            session.probes.last = EventLoop.now
            let suspicion = client.outbox.suspicion
            guard !suspicion.isRejected(topic), !suspicion.isWithheld(topic) else { return }
            client.outbox.waitingProbe = topic
            session.probes.waiting = Probe(topic: topic, payload: payload, sent: sent)
            client.settleIfConnected()
        }
    }

    func settleIfConnected() {
        if !isSettling, let session { settle(session.connection) }
    }

    /// Handles the facts (events) that the callbacks of a connection recorded, and sends waiting messages, until there
    /// are no more facts and messages.
    ///
    /// Never re-entered: messages that handlers publish during this method wait in the outbox.
    func settle(_ connection: Connection) {
        guard !isSettling else { return }
        isSettling = true
        var ending: MQTTError?
        repeat {
            // A handler may close the connection, after which the remaining facts are ignored.
            for fact in connection.takeFacts() where !connection.isClosed {
                if case .ended(let error) = fact { ending = error } else { handle(fact, of: connection) }
            }
            pump(connection)
        } while connection.hasFacts && ending == nil
        connection.updateInterest()
        connection.acknowledge()
        isSettling = false
        if let ending { connectionEnded(connection, ending) }
        if !drainWaiters.isEmpty { drainWaiters.check() }
    }

    private func handle(_ fact: Connection.Fact, of connection: Connection) {
        if case .accepted(let window, let packetLimit) = fact {
            return accepted(connection, window: window, packetLimit: packetLimit)
        }
        guard let session else { return }
        switch fact {
        case .accepted, .ended: return
        case .message(let message):
            loop.checkForStall()
            figures.received += 1
            if message.qos > 0 { session.renewal?.foundQueue = true }
            messageHandler?(message)
        case .acknowledged(let identifier, let refusal):
            guard
                let done = outbox.acknowledged(identifier, isRefusal: refusal != nil, at: EventLoop.now)
            else { return }
            if done.wasRejected { report(acceptanceOf: done.topic) }
            if let refusal { return report(refusalOf: done.topic, done.refused, refusal) }
            figures.acknowledged(after: done.latency)
        case .probed(let time):
            let sent = session.probes.sent
            session.probes.sent = nil
            sent?(time)
        case .subscribed(let filter, let qos): granted(filter, qos)
        case .subscriptionRefused(let filter, let reason): refused(filter, reason, session)
        case .unsubscribed(let identifier):
            guard identifier == session.question else { return markerArrived(identifier, session) }
            session.question = nil
            if let topic = outbox.answered() { report(acceptanceOf: topic) }
        }
    }

    private func pump(_ connection: Connection) {
        repeat {
            guard let session, session.connection === connection, connection.isEstablished else { return }
            handOverProbe(session)
            guard !isSendingPaused else { return connection.write() }
            var taken = 0
            while outbox.readHasWaiting(), let delivery = outbox.next() {
                switch connection.publish(delivery) {
                case .taken(let identifier):
                    taken += 1
                    outbox.handedOver(delivery, as: identifier, at: EventLoop.now)
                case .refused(let reason):
                    outbox.refused(delivery)
                    report(refusalOf: delivery.topic, delivery.queued?.outgoing, reason)
                }
            }
            if outbox.readNeedsQuestion() {
                session.question = connection.unsubscribe(Self.nowhere)
                outbox.asked()
            }
            connection.write(messages: taken)
            outbox.streamsWritten(connection.takeWrittenStreams())
        } while outbox.readCanGoOn()
    }

    private func handOverProbe(_ session: Session) {
        guard let probe = session.probes.waiting, session.connection.hasWrittenAll, outbox.mayProbe else {
            return
        }
        session.probes.waiting = nil
        session.probes.sent = probe.sent
        outbox.handedOverProbe(probe.topic, at: EventLoop.now)
        session.connection.send(probe: probe)
    }
}

// These methods change nothing. They are mutating because Swift would copy the stored outbox, with all waiting
// messages, for each call of a nonmutating method.
extension Outbox {
    fileprivate mutating func readCanGoOn() -> Bool { canGoOn }

    fileprivate mutating func readNeedsQuestion() -> Bool { needsQuestion }

    fileprivate mutating func readHasWaiting() -> Bool { hasWaiting }
}
