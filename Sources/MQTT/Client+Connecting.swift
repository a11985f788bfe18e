import EventLoop
import Logging
import Messages

// Name resolution, addresses, connection attempts and the delays between them.
extension Client {
    /// Starts a round of attempts: the brokers are tried in order until a broker accepts the client.
    func startRound() {
        dialer.begin()
        ask()
    }

    private func ask() {
        let target = dialer.target
        logger[metadataKey: "broker"] = "\(target.brokerDescription)"
        resolutionCount += 1
        let (number, patience) = (resolutionCount, dialer.namePatience)
        let deadline = loop.schedule(after: patience) {
            self.failed(
                MQTTError(
                    .nameNotFound, broker: target.brokerDescription,
                    explanation:
                        "resolving \"\(target.host)\" or reading the TLS and password files took longer than "
                        + "\(patience.components.seconds) s"))
        }
        enter(.resolving(number, deadline: deadline))
        if target.isUnixSocket { return resolved(.success([Address(host: target.host, port: 0)]), number) }
        resolve(target.host, target.effectivePort, loop) { answer in
            self.assumeIsolated { $0.resolved(answer, number) }
        }
    }

    private func isResolving(_ number: Int) -> Bool {
        guard case .resolving(number, _) = phase else { return false }
        return true
    }

    private func resolved(_ answer: Resolver.Answer, _ number: Int) {
        guard isResolving(number) else { return }
        let target = dialer.target
        switch answer {
        case .success(let addresses):
            let address = dialer.found(addresses)
            guard target.readsFiles else {
                return connect(to: address, Credentials(withoutFiles: target))
            }
            prepare(target, for: address, number)
        case .failure(let failure):
            failed(
                MQTTError(
                    addressInfo: failure.status, systemError: failure.systemError, host: target.host,
                    broker: target.brokerDescription))
        }
    }

    /// Reads the files on a thread other than the event loop's, because a slow disk would block the loop.
    private func prepare(_ target: Configuration, for address: Address, _ number: Int) {
        do throws(EventLoopError) {
            try loop.offload {
                Result { () throws(MQTTError) in try Credentials(target) }
            } then: { result in
                self.assumeIsolated { client in
                    guard client.isResolving(number) else { return }
                    switch result {
                    case .success(let credentials): client.connect(to: address, credentials)
                    case .failure(let error): client.failed(error)
                    }
                }
            }
        } catch {
            failed(
                MQTTError(
                    .invalidConfiguration, broker: target.brokerDescription,
                    explanation: "cannot read the TLS and password files: \(error)"))
        }
    }

    private func connect(to address: Address, _ credentials: Credentials) {
        var target = dialer.target
        target.password = credentials.password
        let connection: Connection
        do {
            connection = try Connection(
                to: address, version: dialer.version, configuration: target, tls: credentials.tls)
        } catch {
            return failed(error)
        }
        let patience = dialer.addressPatience
        let deadline = loop.schedule(after: patience) { self.attemptTimedOut(after: patience) }
        enter(.connecting(connection, credentials, deadline: deadline))
        connection.open(keepAlive: configuration.keepAlive, on: loop) { readiness in
            connection.advance(readiness)
            self.settle(connection)
        }
        settle(connection)
    }

    private func attemptTimedOut(after patience: Duration) {
        guard case .connecting(let connection, let credentials, _) = phase else { return }
        let error = MQTTError(
            .timedOut, broker: connection.broker, explanation: "no answer within \(patience)")
        let isUnanswered = connection.isUnanswered
        connection.abandon(error)
        attemptFailed(error, credentials, isUnanswered: isUnanswered)
    }

    func attemptFailed(_ error: MQTTError, _ credentials: Credentials, isUnanswered: Bool = false) {
        outbox.suspicion.attemptFailed()
        follow(dialer.attemptFailed(error, isUnanswered: isUnanswered, random: random()), error, credentials)
    }

    /// Handles a failure before any data is sent to the broker, for instance because its name does not resolve or a file
    /// is invalid.
    private func failed(_ error: MQTTError) { follow(dialer.failed(error, random: random()), error) }

    /// Carries out the dialer's next step after a failed attempt or the end of a connection.
    func follow(_ step: Dialer.Step, _ error: MQTTError, _ credentials: Credentials? = nil) {
        switch step {
        case .connect(let address):
            logger.debug(
                "the connection attempt failed; retrying immediately",
                metadata: [
                    "reason": "\(error)", "address": "\(address.description)", "version": "\(dialer.version)",
                ])
            connect(to: address, credentials ?? Credentials(withoutFiles: dialer.target))
        case .next:
            logger.log(
                level: dialer.hasFailed ? .debug : .notice,
                "no connection to the broker \(error); trying the next broker",
                metadata: ["next": "\(dialer.target.brokerDescription)"])
            ask()
        case .restart:
            logger.info(
                "the broker closed the connection because of a message; reconnecting",
                metadata: ["reason": "\(error)"])
            emit(.disconnected(error, retryIn: .zero))
            startRound()
        case .wait(let error, let delay):
            enter(.waiting(loop.schedule(after: delay) { self.startRound() }))
            var metadata: Logger.Metadata = ["retry_in_ms": "\(Int(delay / .milliseconds(1)))"]
            if dialer.hasOthers { metadata["next"] = "\(dialer.target.brokerDescription)" }
            logger.log(
                level: loggedFailures.level(of: error.code, at: EventLoop.now),
                "no connection to the broker \(error)\(configuration.advice.map { "; \($0)" } ?? "")",
                metadata: metadata)
            emit(.disconnected(error, retryIn: delay))
        }
    }

    func accepted(_ connection: Connection, window: Int, packetLimit: Int?) {
        guard case .connecting(_, let credentials, _) = phase else { return }
        let isElsewhere: Bool
        switch dialer.accepted() {
        case .proves:
            logger.debug(
                "the broker accepted MQTT \(connection.version); trying MQTT \(dialer.version) again")
            return leave(connection) { self.connect(to: connection.address, credentials) }
        case .stays(let isElsewhereNow): isElsewhere = isElsewhereNow
        }
        let session = Session(connection, since: EventLoop.now)
        enter(.connected(session))
        figures.connects += 1
        loggedFailures = LoggedFailures()
        logger.notice(
            "connected to the broker",
            metadata: ["address": "\(connection.address.description)", "version": "\(connection.version)"])
        connection.subscribe(subscriptions.inOrder)
        outbox.connected(window: window, at: EventLoop.now, isElsewhere: isElsewhere, random: random())
        tick(session)
        emit(
            .connected(
                Event.Connected(
                    version: connection.version, address: connection.address.description,
                    packetLimit: packetLimit)))
        if drops.isDueAtConnect(outbox.dropped.events) { reportDroppedEvents() }
        reportRejections()
    }

    /// Schedules the maintenance of a connection, which runs once a second: keep-alive, and retries of topics that were
    /// suspended because the broker had closed the connection after messages on them.
    private func tick(_ session: Session) {
        session.tickedAt = EventLoop.now
        session.ticker = loop.schedule(after: .seconds(1)) {
            self.tick(session)
            self.reviewTopics(session)
            session.connection.tick()
            self.settle(session.connection)
        }
    }
}
