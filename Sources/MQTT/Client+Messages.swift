import CoreMetrics
import EventLoop
import Logging
public import Messages

// What goes out, and what comes in.
extension Client {
    /// Publishes a message by its policy; from any thread, and without waiting.
    ///
    /// On the loop's thread it is handed to the socket before the call returns, if the broker keeps up.
    public nonisolated func publish(_ message: OutgoingMessage) {
        if loop.isIsolated {
            enter(with: message) { _ = $0.accept($1) }
        } else {
            loop.execute { self.assumeIsolated { _ = $0.accept(message) } }
        }
    }

    /// Lets go of retained topics that another client publishes now: they stay at the broker as they are, and
    /// are not sent again after a connect. From any thread.
    public nonisolated func release(_ topics: [String]) {
        perform { client in
            for topic in topics { client.outbox.release(topic) }
        }
    }

    /// Subscribes now and after every connect; a filter that is subscribed already gets its new QoS.
    public nonisolated func subscribe(_ wanted: [TopicFilter]) {
        perform { $0.addSubscriptions(wanted) }
    }

    /// Ends subscriptions.
    public nonisolated func unsubscribe(_ filters: [String]) {
        perform { $0.removeSubscriptions(filters) }
    }

    private func addSubscriptions(_ wanted: [TopicFilter]) {
        let new = wanted.filter { subscriptions.add($0) }
        if case .connected(let connection, _) = phase { connection.subscribe(new) }
        settleIfConnected()
    }

    private func removeSubscriptions(_ filters: [String]) {
        let ended = filters.filter { subscriptions.remove($0) }
        for filter in ended { refusedSubscriptions.forget(filter) }
        if case .connected(let connection, _) = phase { connection.unsubscribe(ended) }
        settleIfConnected()
    }

    /// Publishes a message by its policy, as ``publish(_:)`` does on the loop's thread.
    ///
    /// - Returns: Whether it was taken: a reply needs a connection, and an urgent message room.
    @discardableResult
    public func accept(_ message: OutgoingMessage) -> Bool {
        if case .closed = phase { return false }
        let isTaken = outbox.enqueue(message, at: EventLoop.now)
        if outbox.dropped.events >= nextDropReport { reportDroppedEvents(isFinal: false) }
        settleIfConnected()
        return isTaken
    }

    /// How many events and replies of a share wait to be sent.
    public func waitingCount(of share: String) -> Int {
        outbox.waitingLetters.count(of: share) + outbox.urgentLetters.count(of: share)
    }

    func settleIfConnected() {
        guard case .connected(let connection, _) = phase, !isSettling else { return }
        settle(connection)
    }

    /// Handles what the connection noted, then sends what may be sent, until there is neither.
    ///
    /// What handlers publish meanwhile only waits in the outbox: this is never entered twice.
    func settle(_ connection: Connection) {
        guard !isSettling else { return }
        isSettling = true
        var ending: MQTTError?
        repeat {
            // A handler may close the connection: what came after is not wanted any more.
            for fact in connection.takeFacts() where !connection.isClosed {
                if case .ended(let error) = fact { ending = error } else { handle(fact, of: connection) }
            }
            pump(connection)
        } while connection.hasFacts && ending == nil
        connection.updateInterest()
        connection.acknowledge()
        isSettling = false
        if let ending { connectionEnded(connection, ending) }
        if case .connecting(let next, _, _) = phase, next !== connection, next.hasFacts { settle(next) }
        if !drainWaiters.isEmpty { drainWaiters.check() }
    }

    private func handle(_ fact: Connection.Fact, of connection: Connection) {
        switch fact {
        case .accepted(let window):
            accepted(connection, window: window)
        case .message(let message):
            loop.checkForStall()
            received += 1
            if message.qos > 0 { renewal?.foundQueue = true }
            messageHandler?(message)
        case .acknowledged(let identifier, let refusal):
            guard
                let done = outbox.acknowledged(identifier, isRefusal: refusal != nil, at: EventLoop.now)
            else { return }
            if done.wasRejected { report(acceptanceOf: done.topic) }
            if let refusal { return report(refusalOf: done.topic, done.refused, refusal) }
            latency.record(done.latency)
            acknowledgementTimer.recordNanoseconds(done.latency.nanoseconds)
        case .probed(let time):
            let sent = probeSent
            probeSent = nil
            sent?(time)
        case .subscribed(let filter, let qos): granted(filter, qos)
        case .subscriptionRefused(let filter, let reason): refused(filter, reason)
        case .unsubscribed(let identifier):
            guard identifier == question else { return markerArrived(identifier, connection) }
            question = nil
            if let topic = outbox.answered() { report(acceptanceOf: topic) }
        case .ended:
            return
        }
    }

    private func pump(_ connection: Connection) {
        repeat {
            guard case .connected(let current, _) = phase, current === connection, connection.isEstablished
            else {
                return
            }
            handOverProbe(connection)
            guard !isHeldBack else { return connection.write() }
            var taken = 0
            while outbox.readHasWaiting(), let delivery = outbox.next() {
                switch connection.publish(delivery) {
                case .taken(let identifier):
                    taken += 1
                    outbox.handedOver(delivery, as: identifier, at: EventLoop.now)
                case .refused(let reason):
                    outbox.refused(delivery)
                    report(refusalOf: delivery.topic, delivery.letter?.message, reason)
                }
            }
            if outbox.readNeedsQuestion() {
                question = connection.unsubscribe(Self.nowhere)
                outbox.asked()
            }
            connection.write(messages: taken)
            outbox.streamsWritten(connection.takeWrittenStreams())
        } while outbox.readCanGoOn()
    }

    /// Reports that a message was refused.
    ///
    /// - Parameter message: The message, if it is an event or a reply.
    func report(refusalOf topic: String, _ message: OutgoingMessage?, _ reason: Reason) {
        // A broker that forbids a topic forbids each of its values; after a connect it may be another broker.
        let isNew = loggedRefusals.count < Self.loggedRefusalLimit && loggedRefusals.insert(topic).inserted
        logger.log(
            level: isNew ? .warning : .debug, "the broker refused a message",
            metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        emit(.publishRefused(topic: topic, reason: reason))
        if let message { emit(.messageRefused(message, reason: reason)) }
    }

    func reportDroppedEvents(isFinal: Bool) {
        let total = outbox.dropped.events
        if total >= nextDropReport || isFinal && total > reportedDrops {
            reportedDrops = total
            logger.error(
                "events were lost: the queue for the broker was full",
                metadata: [
                    "total": "\(total)", "topic": "\(outbox.lastDroppedEvent)",
                    "unacknowledged": "\(outbox.inFlight.count) of \(outbox.window)",
                ])
            emit(.eventsDropped(total: total, lastTopic: outbox.lastDroppedEvent))
        }
        if isFinal {
            nextDropReport = total + 1
        } else {
            nextDropReport = max(nextDropReport, 1)
            while nextDropReport <= total { nextDropReport *= 10 }
        }
    }
}

// They change nothing. But a getter of a stored value is called on a copy of all that waits, for every
// message, and a mutating method on the value itself.
extension Outbox {
    fileprivate mutating func readCanGoOn() -> Bool { canGoOn }

    fileprivate mutating func readNeedsQuestion() -> Bool { needsQuestion }

    fileprivate mutating func readHasWaiting() -> Bool { hasWaiting }
}

extension Duration {
    /// Whole nanoseconds, rounded down.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
