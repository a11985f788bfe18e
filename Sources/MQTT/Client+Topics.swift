import EventLoop
import Logging
public import Messages

// Subscriptions, topics that other clients overwrite, and what the broker does not allow.
extension Client {
    /// Subscribes now and after every connect; a filter that is subscribed already gets its new QoS.
    public nonisolated func subscribe(_ wanted: [TopicFilter]) {
        perform { client in
            let new = wanted.filter { client.subscriptions.add($0) }
            client.session?.connection.subscribe(new)
            client.settleIfConnected()
        }
    }

    /// Ends subscriptions.
    public nonisolated func unsubscribe(_ filters: [String]) {
        perform { client in
            let ended = filters.filter { client.subscriptions.remove($0) }
            client.session?.connection.unsubscribe(ended)
            client.settleIfConnected()
        }
    }

    /// Tries again, now, what the broker refuses: subscriptions, and topics that were left out because it
    /// ended the connection over them. From any thread; for a caller that knows that its rules may have changed.
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
                "the broker grants a subscription that it had refused", metadata: ["topic": "\(filter)"])
        }
        emit(.subscribed(filter: filter, qos: qos))
    }

    func refused(_ filter: String, _ reason: Reason, _ session: Session) {
        guard let refusal = subscriptions.refused(filter, at: EventLoop.now, random: random()) else { return }
        logger.log(
            level: refusal.isNew ? .error : .debug,
            "the broker refused a subscription, which is tried again",
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

    /// Stops publishing retained topics that another client publishes now: they stay on the broker as they are, and
    /// are not sent again after a connect. From any thread.
    public nonisolated func release(_ topics: [String]) {
        perform { client in
            for topic in topics { client.outbox.release(topic) }
        }
    }

    /// Publishes a retained topic again, soon, unless `payload` is what this client has published there; from any thread.
    ///
    /// Nothing happens for a topic that this client does not publish, or that it releases in time.
    ///
    /// - Parameter payload: What another client has published, retained; empty where it has cleared the topic.
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
                "another client has emptied or overwritten retained topics, which are published again",
                metadata: ["topic": "\(first)", "topics": "\(topics.count)"])
            self.outbox.resume(topics)
            self.settleIfConnected()
        }
    }

    // MARK: Refusals

    /// Reports that a message was refused.
    ///
    /// - Parameter message: The message, if it is an event or a reply.
    func report(refusalOf topic: String, _ message: OutgoingMessage?, _ reason: Reason) {
        logger.log(
            level: session?.isNewRefusal(of: topic) ?? false ? .warning : .debug,
            "the broker refused a message", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        emit(.publishRefused(topic: topic, reason: reason))
        if let message { emit(.messageRefused(message, reason: reason)) }
    }

    func report(acceptanceOf topic: String) {
        logger.notice(
            "the broker takes what is published on a topic that was left out", metadata: ["topic": "\(topic)"]
        )
        emit(.publishAccepted(topic: topic))
    }

    /// Reports, for each connection, which topics are left out.
    func reportRejections() {
        let reason = Reason("the broker ends the connection over it, so it is left out")
        for topic in outbox.suspicion.rejected.keys.sorted() {
            emit(.publishRefused(topic: topic, reason: reason))
        }
    }

    /// Sends again, as time goes by, on topics on which nothing was sent for a while.
    func reviewTopics(_ session: Session) {
        let now = EventLoop.now
        outbox.resume(outbox.suspicion.release(at: now))
        // A review may cost the connection, and a robot its motion: it waits until no measurement of the path
        // is under way.
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
