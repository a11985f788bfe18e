import EventLoop
public import Messages

extension Client {
    /// What the broker hears at the end of a connection.
    enum Farewell {
        /// An orderly goodbye: no last will.
        case goodbye
        /// A goodbye that asks for the last will.
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

    /// Publishes the last words ahead of everything that waits, waits for their acknowledgement (and that of the
    /// rest, as far as time allows), says goodbye and ends ``run()``.
    ///
    /// If they do not arrive within `limit`, the broker is asked to publish the last will instead.
    ///
    /// - Returns: whether everything arrived.
    @discardableResult
    public func close(lastWords: [OutgoingMessage] = [], within limit: Duration = .seconds(2)) async -> Bool {
        guard case .connected = phase, !isHeldBack else {
            if isHeldBack { end(saying: .goodbye) }
            let isDrained = outbox.isDrained && lastWords.isEmpty
            end(saying: .silence)
            return isDrained
        }
        isSettling = true
        // Of urgent states each goes in front of those before it.
        let states = lastWords.filter { $0.policy == .state }.reversed()
        for var message in states + lastWords.filter({ $0.policy != .state }) {
            message.isUrgent = true
            accept(message)
        }
        isSettling = false
        if case .connected(let connection, _) = phase { settle(connection) }
        let isDrained = await flush(within: limit)
        end(saying: isDrained ? .goodbye : .will)
        return isDrained
    }

    /// Leaves the broker with a goodbye and connects anew at once, with a clean start: what piled up on the way
    /// here is thrown away, what waits here is kept.
    nonisolated func reconnect() {
        perform { client in
            guard case .connected(let connection, let since) = client.phase else { return }
            connection.close(withWill: false)
            client.leave(since: since, after: nil)
            let error = MQTTError(
                .closed, broker: connection.broker, explanation: "connecting anew, as asked")
            client.emit(.disconnected(error, retryIn: .zero))
            client.beginAttempt()
        }
    }

    func end(saying farewell: Farewell) {
        switch phase {
        case .closed:
            return
        case .connected(let connection, let since):
            switch farewell {
            case .goodbye: connection.close(withWill: false)
            case .will: connection.close(withWill: true)
            case .silence: connection.abandon(closed)
            }
            leave(since: since, after: nil)
        case .connecting(let connection, _, let deadline):
            deadline.cancel()
            connection.abandon(closed)
        case .waiting(let timer):
            timer.cancel()
        case .idle, .resolving:
            break
        }
        phase = .closed
        resolutionDeadline?.cancel()
        drainWaiters.check()
        messageHandler = nil
        eventHandler = nil
        finish.finish()
    }

    private var closed: MQTTError {
        MQTTError(.closed, broker: target.brokerDescription, explanation: "the client was closed")
    }
}
