import EventLoop
import Logging

// How a connection ends, and what follows.
extension Client {
    /// How the client ends a connection.
    enum Farewell {
        /// A DISCONNECT: no last will.
        case goodbye
        /// A DISCONNECT that asks for the last will.
        case will
        /// Nothing: the connection just closes, and the broker publishes the last will.
        case silence
    }

    /// Waits until the broker has acknowledged everything that was published, but no longer than `limit`.
    ///
    /// - Returns: whether nothing is left.
    public func flush(within limit: Duration) async -> Bool {
        let isOver = await drainWaiters.wait(upTo: limit, isCancellable: false) {
            self.outbox.isDrained || self.isClosed
        }
        return isOver && (outbox.isDrained || !isClosed)
    }

    private var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Waits until everything that was published has arrived, disconnects and ends ``run()``.
    ///
    /// If it does not arrive within `limit`, the broker is asked to publish the last will instead.
    ///
    /// - Returns: whether everything arrived.
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

    /// Disconnects from the broker, and connects again with a clean start as soon as it has closed the connection:
    /// what it has sent and was not read is thrown away, what waits here is kept.
    nonisolated func reconnect() {
        perform { client in
            guard let session = client.session else { return }
            _ = client.leave(session, after: nil)
            client.dialer.left(after: EventLoop.now - session.since)
            client.leave(session.connection) { client.startRound() }
            client.emit(
                .disconnected(
                    MQTTError(
                        .closed, broker: session.connection.broker, explanation: "connecting anew, as asked"),
                    retryIn: .zero))
        }
    }

    /// Disconnects, and goes on as soon as the broker has closed the connection.
    func leave(_ connection: Connection, then next: @escaping () -> Void) {
        enter(.leaving(connection.close(on: loop, then: next)))
    }

    func connectionEnded(_ connection: Connection, _ error: MQTTError) {
        switch phase {
        case .connecting(let current, let tls, _) where current === connection:
            attemptFailed(error, tls)
        case .connected(let session) where session.connection === connection:
            // An answer may be what the broker ended the connection over: that is no sign of another client.
            let isSilent = error.code == .connectionLost && outbox.repliesUnderWay.isEmpty
            let outcome = leave(session, after: error)
            let clientID = dialer.target.clientID
            let step = dialer.lost(
                error, after: EventLoop.now - session.since, outcome, isSilent: isSilent, random: random())
            if dialer.target.clientID != clientID {
                logger.info(
                    "the next connection has a new client id: another client may have the former one")
            }
            follow(step, error)
        default: return
        }
    }

    /// Notes the end of a connection that was up.
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
                "the broker ends the connection over what is published on a topic, which is left out from now on",
                metadata: ["topic": "\(topic)", "reason": "\(error.explanation)"])
        }
        return outcome
    }

    // MARK: Leaving a connection that is read to its end

    /// A filter without a subscriber; ending the subscription to it only asks the broker for an answer.
    static let nowhere = "tactile-bridge/nowhere"

    /// Reads what the broker has sent so far, then does as ``reconnect()``: for a process that was late and must not
    /// act on what piled up, but must not miss a stop in it either.
    ///
    /// - Parameter limit: After which time it reconnects whatever is still to be read.
    public nonisolated func drainAndReconnect(within limit: Duration = .seconds(1)) {
        perform { client in
            guard let session = client.session, session.renewal == nil else { return }
            let timer = client.loop.schedule(after: limit) { client.reconnect() }
            session.renewal = Session.Renewal(
                marker: session.connection.unsubscribe(Self.nowhere), timer: timer)
            session.connection.write()
        }
    }

    /// Everything before the marker has been read.
    func markerArrived(_ identifier: CInt, _ session: Session) {
        guard let renewal = session.renewal, renewal.marker == identifier else { return }
        if renewal.foundQueue {
            session.renewal?.foundQueue = false
            session.renewal?.marker = session.connection.unsubscribe(Self.nowhere)
        } else {
            // Not from in here, where what arrived is being handed out.
            renewal.timer.cancel()
            loop.execute { self.reconnect() }
        }
    }
}
