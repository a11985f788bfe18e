import EventLoop
import Logging

// How a connection, or an attempt to make one, ends, and what follows.
extension Client {
    func connectionEnded(_ connection: Connection, _ error: MQTTError) {
        switch phase {
        case .connecting(let current, var attempt, let deadline) where current === connection:
            deadline.cancel()
            takeovers.attemptFailed()
            outbox.suspicion.attemptFailed()
            if isRefusalOfVersion(error, connection), versions.refused() {
                logger.info("the broker does not speak MQTT \(connection.version); trying \(versions.next)")
                return connect(attempt, to: connection.address)
            }
            if error.code == .connectionLost, versions.hungUp() {
                return connect(attempt, to: connection.address)
            }
            if error.isAboutAddress, !attempt.remaining.isEmpty {
                logger.debug(
                    "an address of the broker does not answer; trying the next",
                    metadata: ["reason": "\(error)"])
                let next = attempt.remaining.removeFirst()
                return connect(attempt, to: next)
            }
            if error.isAboutAddress, attempt.known.count > 1 {
                var whole = error
                let tried = attempt.known.map(\.host).joined(separator: ", ")
                whole.broker = "\(target.brokerDescription) (tried \(tried))"
                return failed(whole)
            }
            failed(error)
        case .connected(let current, let since) where current === connection:
            // An answer may be what the broker ended the connection over: that is no sign of another client.
            let isSilent = error.code == .connectionLost && !outbox.hasReplyUnderWay
            if leave(since: since, after: error) { return connectAgain(after: error) }
            let isSuspected = takeovers.ended(after: EventLoop.now - since, silently: isSilent)
            if isSuspected || error.code == .sessionTakenOver, replaceClientID() {
                return wait(after: error, pace: .usual(isLocal: isLocal))
            }
            let cause = isSuspected ? .probableTakeover(broker: error.broker) : error
            let isOtherNext = choice.lost(cause)
            if isOtherNext { takeovers.attemptFailed() }
            wait(after: cause, pace: isOtherNext ? .other : nil)
        default:
            return
        }
    }

    /// Whether a broker that does not know MQTT 5 may be behind it: some answer what version 5 cannot parse.
    private func isRefusalOfVersion(_ error: MQTTError, _ connection: Connection) -> Bool {
        error.code == .unsupportedVersion || error.code == .protocolError && connection.version == .v5
    }

    private func connectAgain(after error: MQTTError) {
        logger.info("the connection ended over a message; connecting again", metadata: ["reason": "\(error)"])
        emit(.disconnected(error, retryIn: .zero))
        beginAttempt()
    }

    /// Uses another client id from now on, if the id is random.
    ///
    /// - Returns: Whether it is.
    private func replaceClientID() -> Bool {
        guard let prefix = configuration.clientIDPrefix else { return false }
        takeovers = TakeoverWatch()
        clientID = "\(prefix)-\(Configuration.randomClientIDEnd())"
        logger.info("the next connection has a new client id: another client may have the former one")
        return true
    }

    /// Whether each broker is on this host.
    private var isLocal: Bool { configuration.servers.allSatisfy(\.isLocal) }

    /// Clears away what belongs to a connection that was up.
    ///
    /// - Returns: Whether it ended over a message of ours, so that it is worth while to connect again at once.
    @discardableResult
    func leave(since: Duration, after error: MQTTError?) -> Bool {
        ticker?.cancel()
        renewal?.timer.cancel()
        renewal = nil
        waitingProbe = nil
        probeSent = nil
        question = nil
        retryTimer?.cancel()
        refusedSubscriptions.disconnected()
        let lifetime = EventLoop.now - since
        backoff.connected()
        if lifetime >= .seconds(5) { promptReconnects = 0 }
        let cause = cause(of: error)
        if cause == .silence { reportUnconfirmedReplies() }
        stopRestoring()
        let outcome = outbox.disconnected(cause, at: EventLoop.now)
        guard let error else { return false }
        if let culprit = outcome.culprit { report(refusalOf: culprit, nil, Reason(error.explanation)) }
        if case .rejected(let topic) = outcome.finding { report(rejectionOf: topic, error) }
        return isWorthAnotherTry(outcome, cause)
    }

    /// - Parameter pace: How soon to try again; nil for what the error says.
    func wait(after error: MQTTError, pace: Backoff.Pace? = nil) {
        resolutionDeadline?.cancel()
        let delay = backoff.next(pace ?? error.pace(isLocal: isLocal), random: random())
        phase = .waiting(loop.schedule(after: delay) { self.beginAttempt() })
        var metadata: Logger.Metadata = ["retry_in_ms": "\(Int(delay / .milliseconds(1)))"]
        if targets.count > 1 { metadata["next"] = "\(target.brokerDescription)" }
        logger.log(
            level: loggedFailures.level(of: error.code, at: EventLoop.now),
            "no connection to the broker \(error)\(configuration.advice.map { "; \($0)" } ?? "")",
            metadata: metadata)
        emit(.disconnected(error, retryIn: delay))
    }
}

extension MQTTError {
    fileprivate static func probableTakeover(broker: String) -> MQTTError {
        MQTTError(
            .sessionTakenOver, broker: broker,
            explanation:
                "the broker accepted the connection and soon closed it without a reason, three times now:"
                + " another client may have our client id, or the broker was restarted")
    }

    /// Whether another address of the same name may do better.
    var isAboutAddress: Bool {
        switch code {
        case .connectionRefused, .unreachable, .timedOut, .connectionLost, .permissionDenied: true
        default: false
        }
    }
}
