import EventLoop
import Logging

// The way to a broker: name, addresses, connection, and the waits between attempts.
extension Client {
    /// Begins a round of attempts: at each broker until one accepts us.
    func beginAttempt() {
        choice.begin()
        ask()
    }

    private func ask() {
        let target = target
        logger[metadataKey: "broker"] = "\(target.brokerDescription)"
        if target.isUnixSocket {
            return connect(Attempt(remaining: [], known: []), to: Address(host: target.host, port: 0))
        }
        phase = .resolving
        resolution += 1
        let question = resolution
        resolve(target.host, target.effectivePort, loop) { answer in
            self.assumeIsolated { $0.resolved(answer, question) }
        }
        // A name server that is away can take half a minute to say so; ask again with the usual waits.
        let patience = choice.hasMore ? Self.shortPatience : .seconds(30)
        let deadline = loop.schedule(after: patience) { self.resolutionTimedOut(question, after: patience) }
        resolutionDeadline = deadline
    }

    /// How long an address may take, or a name, behind which there are others.
    private static let shortPatience = Duration.seconds(3)

    private func resolutionTimedOut(_ question: Int, after patience: Duration) {
        guard case .resolving = phase, question == resolution else { return }
        failed(
            MQTTError(
                .nameNotFound, broker: target.brokerDescription,
                explanation: "no answer in \(patience.components.seconds) s from the name server or the disk "
                    + "for \"\(target.host)\""))
    }

    /// A broker gave no connection: the next one is asked, else all again after a wait.
    func failed(_ error: MQTTError) {
        resolutionDeadline?.cancel()
        guard choice.failed(error) else { return wait(after: choice.failure ?? error) }
        takeovers.attemptFailed()
        logger.log(
            level: choice.hasFailed ? .debug : .notice,
            "no connection to the broker \(error); the next one is asked",
            metadata: ["next": "\(target.brokerDescription)"])
        ask()
    }

    private func resolved(_ answer: Resolver.Answer, _ question: Int) {
        guard case .resolving = phase, question == resolution else { return }
        switch answer {
        case .success(var addresses):
            if let preferredAddress, let index = addresses.firstIndex(of: preferredAddress) {
                addresses.swapAt(0, index)
            }
            let first = addresses.removeFirst()
            prepareTLS(Attempt(remaining: addresses, known: [first] + addresses), to: first, question)
        case .failure(let failure):
            failed(
                MQTTError(
                    addressInfo: failure.status, systemError: failure.systemError, host: target.host,
                    broker: target.brokerDescription))
        }
    }

    /// Reads the files for TLS beside the loop, as a name is resolved there: a disk may take as long.
    private func prepareTLS(_ attempt: Attempt, to address: Address, _ question: Int) {
        guard let tls = target.tls else {
            resolutionDeadline?.cancel()
            return connect(attempt, to: address)
        }
        do throws(EventLoopError) {
            try loop.offload { [target] in
                Result { () throws(MQTTError) in
                    try TLSContext(tls, host: target.serverName, broker: target.brokerDescription)
                }
            } then: { result in
                self.assumeIsolated { $0.prepared(result, attempt, address, question) }
            }
        } catch {
            prepared(
                .failure(
                    MQTTError(
                        .invalidConfiguration, broker: target.brokerDescription,
                        explanation: "the files for TLS cannot be read: \(error)")),
                attempt, address, question)
        }
    }

    private func prepared(
        _ result: Result<TLSContext, MQTTError>, _ attempt: Attempt, _ address: Address, _ question: Int
    ) {
        guard case .resolving = phase, question == resolution else { return }
        resolutionDeadline?.cancel()
        switch result {
        case .success(let context):
            var attempt = attempt
            attempt.tls = context
            connect(attempt, to: address)
        case .failure(let error): failed(error)
        }
    }

    func connect(_ attempt: Attempt, to address: Address) {
        let connection: Connection
        var target = target
        target.clientID = clientID
        do {
            connection = try Connection(
                to: address, version: versions.next, configuration: target, tls: attempt.tls)
        } catch {
            return failed(error)
        }
        // An address that does not answer must not keep the next one waiting for long, nor a proof what works.
        let patience =
            attempt.remaining.isEmpty && !choice.hasMore && !versions.isProof
            ? configuration.connectTimeout : min(configuration.connectTimeout, Self.shortPatience)
        let deadline = loop.schedule(after: patience) { self.connectTimedOut(after: patience) }
        phase = .connecting(connection, attempt: attempt, deadline: deadline)
        connection.open(keepAlive: configuration.keepAlive, on: loop) { readiness in
            connection.advance(readiness)
            self.settle(connection)
        }
        settle(connection)
    }

    private func connectTimedOut(after patience: Duration) {
        guard case .connecting(let connection, let attempt, _) = phase else { return }
        let error = MQTTError(
            .timedOut, broker: connection.broker, explanation: "no answer within \(patience)")
        let isUnanswered = connection.isUnanswered
        connection.abandon(error)
        if isUnanswered, versions.unanswered() {
            logger.info("the broker does not answer MQTT \(connection.version); trying \(versions.next)")
            return connect(attempt, to: connection.address)
        }
        connectionEnded(connection, error)
    }

    func accepted(_ connection: Connection, window: Int) {
        guard case .connecting(_, let attempt, let deadline) = phase else { return }
        deadline.cancel()
        guard versions.accepted() else {
            logger.debug("the broker took MQTT \(connection.version); asking for \(versions.next) once more")
            connection.close(withWill: false)
            return connect(attempt, to: connection.address)
        }
        preferredAddress = connection.address
        choice.accepted()
        phase = .connected(connection, since: EventLoop.now)
        if hasBeenConnected { reconnects += 1 }
        hasBeenConnected = true
        loggedFailures = LoggedFailures()
        loggedRefusals = []
        logger.notice(
            "connected to the broker",
            metadata: ["address": "\(connection.address.description)", "version": "\(connection.version)"])
        connection.subscribe(subscriptions.inOrder)
        outbox.connected(
            window: window, at: EventLoop.now, isElsewhere: lastBroker.map { $0 != choice.current } ?? false,
            random: random())
        lastBroker = choice.current
        startTicking()
        emit(
            .connected(
                Event.Connected(
                    version: connection.version, address: connection.address.description, window: window,
                    packetLimit: connection.packetLimit)))
        reportDroppedEvents(isFinal: true)
        reportRejections()
    }

    private func startTicking() {
        tickedAt = EventLoop.now
        ticker = loop.schedule(after: .seconds(1)) {
            guard case .connected(let connection, _) = self.phase else { return }
            self.startTicking()
            self.reviewTopics()
            connection.tick()
            self.settle(connection)
        }
    }
}
