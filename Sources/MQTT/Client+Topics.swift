import EventLoop
import Logging
public import Messages

// Subscriptions, topics that other clients overwrite, and refusals by the broker.
extension Client {
    /// Subscribes to filters now and after every connect. A filter that is already subscribed gets the new QoS.
    public nonisolated func subscribe(_ wanted: [TopicFilter]) {
        perform { client in
            let new = wanted.filter { client.subscriptions.add($0) }
            client.session?.connection.subscribe(new)
            client.settleIfConnected()
        }
    }

    /// Removes subscriptions.
    public nonisolated func unsubscribe(_ filters: [String]) {
        perform { client in
            let ended = filters.filter { client.subscriptions.remove($0) }
            client.session?.connection.unsubscribe(ended)
            client.settleIfConnected()
        }
    }

    /// Retries refused subscriptions immediately. Also resumes topics that were suspended because the broker closed the
    /// connection after messages on them. May be called from any thread, for instance after a change of the broker's
    /// access rules.
    public nonisolated func retryRefused() {
        perform { client in
            guard let session = client.session else { return }
            session.connection.subscribe(client.subscriptions.takeDue(at: nil))
            client.outbox.resume(client.outbox.suspicion.review(all: true, at: EventLoop.now))
            client.settle(session.connection)
        }
    }

    func granted(_ filter: String, _ qos: Int) {
        guard let wasRefused = subscriptions.granted(filter) else { return }
        if wasRefused {
            logger.notice(
                "the broker now grants a subscription that it refused before",
                metadata: ["topic": "\(filter)"])
        }
        emit(.subscribed(filter: filter, qos: qos))
    }

    func refused(_ filter: String, _ reason: Reason, _ session: Session) {
        guard let refusal = subscriptions.refused(filter, at: EventLoop.now, random: random()) else { return }
        logger.log(
            level: refusal.isNew ? .error : .debug,
            "the broker refused a subscription; retrying later",
            metadata: ["topic": "\(filter)", "reason": "\(reason)"])
        if refusal.isNewHere { emit(.subscribeRefused(filter: filter, reason: reason)) }
        scheduleRetry(session)
    }

    private func scheduleRetry(_ session: Session) {
        session.retryTimer?.cancel()
        session.retryTimer = subscriptions.nextDue.map { due in
            loop.schedule(after: max(.zero, due - EventLoop.now)) {
                session.connection.subscribe(self.subscriptions.takeDue(at: EventLoop.now))
                self.scheduleRetry(session)
                self.settle(session.connection)
            }
        }
    }

    // MARK: Retained topics

    /// Stops publishing retained topics that another client now publishes: the retained messages stay on the broker,
    /// and this client does not send them again after a connect. May be called from any thread.
    public nonisolated func release(_ topics: [String]) {
        perform { client in
            for topic in topics { client.outbox.release(topic) }
        }
    }

    /// Publishes a retained topic again after a short delay, unless `payload` is this client's own message. May be
    /// called from any thread.
    ///
    /// Has no effect on a topic that this client does not publish, or that it releases within the delay.
    ///
    /// - Parameter payload: The retained payload of another client; empty if it cleared the topic.
    public nonisolated func restore(_ topic: String, insteadOf payload: [UInt8]) {
        perform { client in
            guard let session = client.session, client.outbox.differs(topic, from: payload),
                let due = session.overwritten.note(topic, at: EventLoop.now)
            else { return }
            client.restore(at: due, session)
        }
    }

    private func restore(at moment: Duration, _ session: Session) {
        session.restoreTimer?.cancel()
        session.restoreTimer = loop.schedule(after: moment - EventLoop.now) {
            let topics = session.overwritten.take(at: EventLoop.now).filter(self.outbox.publishes)
            if let next = session.overwritten.next { self.restore(at: next, session) }
            guard let first = topics.first else { return }
            self.logger.warning(
                "another client cleared or overwrote retained topics; publishing them again",
                metadata: ["topic": "\(first)", "topics": "\(topics.count)"])
            self.outbox.resume(topics)
            self.settleIfConnected()
        }
    }

    // MARK: Refusals

    /// Reports a refused message.
    ///
    /// - Parameter message: The refused event or reply; nil for other messages.
    func report(refusalOf topic: String, _ message: OutgoingMessage?, _ reason: Reason) {
        logger.log(
            level: session?.isNewRefusal(of: topic) ?? false ? .warning : .debug,
            "the broker refused a message", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        emit(.publishRefused(topic: topic, reason: reason))
        if let message { emit(.messageRefused(message, reason: reason)) }
    }

    func report(acceptanceOf topic: String) {
        logger.notice(
            "the broker accepts messages on a topic again; publishing resumes",
            metadata: ["topic": "\(topic)"])
        emit(.publishAccepted(topic: topic))
    }

    /// Reports the suspended topics, once for each connection.
    func reportRejections() {
        let reason = Reason(
            "the broker closes the connection because of this topic; nothing more is published on the topic")
        for topic in outbox.suspicion.rejected.keys.sorted() {
            emit(.publishRefused(topic: topic, reason: reason))
        }
    }

    /// Resumes topics that were suspended long enough, and retries rejected topics if a review is due. See
    func reviewTopics(_ session: Session) {
        let now = EventLoop.now
        outbox.resume(outbox.suspicion.release(at: now))
        // A review may make the broker close the connection, which stops a connected robot. The bridge sends latency
        // probes while a robot needs them, so the review waits until no probe was requested for 5 s.
        let isMeasured = session.probes.last.map { now - $0 < .seconds(5) } ?? false
        if !isMeasured, outbox.suspicion.isReviewDue(at: now) {
            outbox.resume(outbox.suspicion.review(all: false, at: now))
        }
    }

    func reportDroppedEvents() {
        let total = outbox.dropped.events
        logger.error(
            "events were lost: the queue for the broker was full",
            metadata: [
                "total": "\(total)", "topic": "\(outbox.lastDroppedEvent)",
                "unacknowledged": "\(outbox.inFlight.count) of \(outbox.window)",
            ])
        emit(.eventsDropped(total: total, lastTopic: outbox.lastDroppedEvent))
    }
}
