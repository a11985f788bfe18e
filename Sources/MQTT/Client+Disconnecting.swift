import EventLoop
import Logging

// How a connection ends, and what the client does afterwards.
extension Client {
    /// How the client ends a connection.
    enum Farewell {
        /// Sends DISCONNECT: the broker discards the last will.
        case goodbye
        /// Sends a DISCONNECT that asks the broker to publish the last will.
        case will
        /// Closes the connection without DISCONNECT, so the broker publishes the last will.
        case silence
    }

    /// Waits until the broker has acknowledged all published messages, but no longer than `limit`.
    ///
    /// - Returns: Whether the broker acknowledged all messages.
    public func flush(within limit: Duration) async -> Bool {
        let isOver = await drainWaiters.wait(upTo: limit, isCancellable: false) {
            self.outbox.isDrained || self.isClosed
        }
        return isOver && (outbox.isDrained || !isClosed)
    }

    private var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Waits until the broker has acknowledged all published messages, disconnects and ends ``run()``.
    ///
    /// If messages are still unacknowledged after `limit`, the client asks the broker to publish the last will.
    ///
    /// - Returns: Whether all messages were acknowledged.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async -> Bool {
        guard let session, !isSendingPaused else {
            end(saying: isSendingPaused ? .goodbye : .silence)
            return outbox.isDrained
        }
        settle(session.connection)
        let isDrained = await flush(within: limit)
        end(saying: isDrained ? .goodbye : .will)
        return isDrained
    }

    func end(saying farewell: Farewell) {
        let error = MQTTError(
            .closed, broker: dialer.target.brokerDescription, explanation: "the client was closed")
        switch phase {
        case .closed: return
        case .connected(let session):
            switch farewell {
            case .goodbye: session.connection.close(withWill: false)
            case .will: session.connection.close(withWill: true)
            case .silence: session.connection.abandon(error)
            }
            _ = leave(session, after: nil)
        case .connecting(let connection, _, _): connection.abandon(error)
        case .idle, .resolving, .waiting, .leaving: break
        }
        enter(.closed)
    }

    /// Disconnects, and reconnects with a clean start as soon as the broker has closed the connection. Unread messages
    /// from the broker are discarded; messages that wait to be sent are kept.
    nonisolated func reconnect() {
        perform { client in
            guard let session = client.session else { return }
            _ = client.leave(session, after: nil)
            client.dialer.left(after: EventLoop.now - session.since)
            client.leave(session.connection) { client.startRound() }
            client.emit(
                .disconnected(
                    MQTTError(
                        .closed, broker: session.connection.broker, explanation: "reconnecting on request"),
                    retryIn: .zero))
        }
    }

    /// Disconnects, and calls `next` as soon as the broker has closed the connection.
    func leave(_ connection: Connection, then next: @escaping () -> Void) {
        enter(.leaving(connection.close(on: loop, then: next)))
    }

    func connectionEnded(_ connection: Connection, _ error: MQTTError) {
        switch phase {
        case .connecting(let current, let credentials, _) where current === connection:
            attemptFailed(error, credentials)
        case .connected(let session) where session.connection === connection:
            // An unconfirmed reply may be the reason why the broker closed the connection. Then the silent end is no
            // sign of another client with the same client id.
            let isSilent = error.code == .connectionLost && outbox.repliesUnderWay.isEmpty
            let outcome = leave(session, after: error)
            let clientID = dialer.target.clientID
            let step = dialer.lost(
                error, after: EventLoop.now - session.since, outcome, isSilent: isSilent, random: random())
            if dialer.target.clientID != clientID {
                logger.info(
                    "the next connection uses a new client id: another client may be using the previous one")
            }
            follow(step, error)
        default: return
        }
    }

    /// Handles the end of an accepted connection: updates the subscriptions and the outbox, and reports what the end
    /// shows about the messages in flight.
    private func leave(_ session: Session, after error: MQTTError?) -> Outbox.DisconnectOutcome {
        subscriptions.disconnected()
        let cause = TopicSuspicion.Cause(error)
        if cause == .silence {
            for topic in outbox.repliesUnderWay.sorted() { emit(.replyUnconfirmed(topic: topic)) }
        }
        let outcome = outbox.disconnected(cause, at: EventLoop.now)
        guard let error else { return outcome }
        if let culprit = outcome.culprit { report(refusalOf: culprit, nil, Reason(error.explanation)) }
        if case .rejected(let topic) = outcome.finding {
            logger.error(
                "the broker closes the connection because of messages on a topic; nothing more is published on the topic",
                metadata: ["topic": "\(topic)", "reason": "\(error.explanation)"])
        }
        return outcome
    }

    // MARK: Leaving a connection after reading everything

    /// A filter that this client never subscribes to. An UNSUBSCRIBE of this filter changes nothing, but the broker
    /// acknowledges it, which proves that the client has read everything that the broker sent before.
    static let nowhere = "tactile-bridge/nowhere"

    /// Reads everything that the broker has sent so far, then calls ``reconnect()``. A process that was delayed calls
    /// this method, because the process must not execute outdated commands, but must not miss a `stop` among them
    /// either.
    ///
    /// - Parameter limit: The time after which the client reconnects even if there is more to read.
    public nonisolated func drainAndReconnect(within limit: Duration = .seconds(1)) {
        perform { client in
            guard let session = client.session, session.renewal == nil else { return }
            let timer = client.loop.schedule(after: limit) { client.reconnect() }
            session.renewal = Session.Renewal(
                marker: session.connection.unsubscribe(Self.nowhere), timer: timer)
            session.connection.write()
        }
    }

    /// Handles the acknowledgement of the UNSUBSCRIBE for ``nowhere``: the client has read everything that the broker
    /// sent before.
    func markerArrived(_ identifier: CInt, _ session: Session) {
        guard let renewal = session.renewal, renewal.marker == identifier else { return }
        if renewal.foundQueue {
            session.renewal?.foundQueue = false
            session.renewal?.marker = session.connection.unsubscribe(Self.nowhere)
        } else {
            // The timer calls `reconnect()` later, because received messages are still being delivered here.
            renewal.timer.cancel()
            loop.execute { self.reconnect() }
        }
    }
}
