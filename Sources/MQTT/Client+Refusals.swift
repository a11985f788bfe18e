import EventLoop
import Logging
import Messages

// What the broker does not allow, and how it is tried again.
extension Client {
    /// Tries again, now, what the broker refuses: subscriptions, and topics that were left out because it
    /// ended the connection over them. From any thread; for who knows that its rules may have changed.
    public nonisolated func retryRefused() {
        perform { client in
            guard case .connected = client.phase else { return }
            client.subscribeAgain(client.refusedSubscriptions.take(dueAt: nil))
            client.outbox.resume(client.outbox.suspicion.review(all: true, at: EventLoop.now))
            client.settleIfConnected()
        }
    }

    // MARK: Subscriptions

    func granted(_ filter: String, _ qos: Int) {
        guard subscriptions[filter] != nil else { return }
        if refusedSubscriptions.granted(filter) {
            logger.notice(
                "the broker grants a subscription that it had refused", metadata: ["topic": "\(filter)"])
        }
        emit(.subscribed(filter: filter, qos: qos))
    }

    func refused(_ filter: String, _ reason: Reason) {
        guard subscriptions[filter] != nil else { return }
        let (isNew, isNewHere) = refusedSubscriptions.refused(
            filter, reason, at: EventLoop.now, random: random())
        logger.log(
            level: isNew ? .error : .debug,
            "the broker refused a subscription, which is tried again",
            metadata: ["topic": "\(filter)", "reason": "\(reason)"])
        if isNewHere { emit(.subscribeRefused(filter: filter, reason: reason)) }
        scheduleRetry()
    }

    private func scheduleRetry() {
        retryTimer?.cancel()
        retryTimer = refusedSubscriptions.nextDue.map { due in
            loop.schedule(after: max(.zero, due - EventLoop.now)) {
                self.subscribeAgain(self.refusedSubscriptions.take(dueAt: EventLoop.now))
                self.scheduleRetry()
                self.settleIfConnected()
            }
        }
    }

    private func subscribeAgain(_ filters: [String]) {
        guard case .connected(let connection, _) = phase else { return }
        let wanted = Set(filters)
        connection.subscribe(subscriptions.inOrder.filter { wanted.contains($0.filter) })
        connection.write()
    }

    // MARK: Topics over which the broker ends the connection

    /// What the end of a connection says of the messages that were under way.
    func cause(of error: MQTTError?) -> TopicSuspicion.Cause {
        guard let error else { return .other }
        if error.blamesMessage { return .blamesMessage }
        switch error.code {
        case .notAuthorized: return .forbidden
        case .connectionLost: return .silence
        default: return .other
        }
    }

    /// Whether to connect again at once: the connection ended over a message of ours, and the next one shows
    /// more or lasts.
    func isWorthAnotherTry(_ outcome: Outbox.DisconnectOutcome, _ cause: TopicSuspicion.Cause) -> Bool {
        switch outcome.finding {
        case .rejected:
            promptReconnects = 0
            return true
        case .nothing where cause != .forbidden || !outcome.hasSuspects: return false
        case .strike, .nothing:
            promptReconnects += 1
            return promptReconnects <= 3
        }
    }

    /// Says which topic is left out from now on.
    func report(rejectionOf topic: String, _ error: MQTTError) {
        logger.error(
            "the broker ends the connection over what is published on a topic, which is left out from now on",
            metadata: ["topic": "\(topic)", "reason": "\(error.explanation)"])
    }

    func report(acceptanceOf topic: String) {
        logger.notice(
            "the broker takes what is published on a topic that was left out", metadata: ["topic": "\(topic)"]
        )
        emit(.publishAccepted(topic: topic))
    }

    /// Says anew, for each connection, which topics are left out.
    func reportRejections() {
        for topic in outbox.suspicion.rejected.keys.sorted() {
            emit(
                .publishRefused(
                    topic: topic, reason: Reason("the broker ends the connection over it, so it is left out"))
            )
        }
    }

    /// Sends again, as time goes by, on topics on which nothing was sent for a while.
    func reviewTopics() {
        let now = EventLoop.now
        outbox.resume(outbox.suspicion.release(at: now))
        // A review may cost the connection, and a robot its motion: it waits until no measurement of the way
        // is under way.
        let isMeasured = lastProbe.map { now - $0 < .seconds(5) } ?? false
        if !isMeasured, outbox.suspicion.isReviewDue(at: now) {
            outbox.resume(outbox.suspicion.review(all: false, at: now))
        }
    }
}
