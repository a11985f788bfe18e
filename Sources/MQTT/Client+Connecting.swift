import EventLoop
import Logging

// The way to a broker: name, addresses, connection, and the waits between attempts.
extension Client {
    func beginAttempt() {
        if configuration.isUnixSocket {
            return connect(Attempt(remaining: [], known: []), to: Address(host: configuration.host, port: 0))
        }
        phase = .resolving
        resolution += 1
        let question = resolution
        resolve(configuration.host, configuration.effectivePort, loop) { answer in
            self.assumeIsolated { $0.resolved(answer, question) }
        }
        // A name server that is away can take half a minute to say so; ask again with the usual waits.
        let deadline = loop.schedule(after: .seconds(30)) { self.resolutionTimedOut(question) }
        resolutionDeadline = deadline
    }

    private func resolutionTimedOut(_ question: Int) {
        guard case .resolving = phase, question == resolution else { return }
        wait(
            after: MQTTError(
                .nameNotFound, broker: configuration.brokerDescription,
                explanation:
                    "no answer in 30 s from the name server or the disk for \"\(configuration.host)\""))
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
            wait(
                after: MQTTError(
                    addressInfo: failure.status, systemError: failure.systemError, host: configuration.host,
                    broker: configuration.brokerDescription))
        }
    }

    /// Reads the files for TLS beside the loop, as a name is resolved there: a disk may take as long.
    private func prepareTLS(_ attempt: Attempt, to address: Address, _ question: Int) {
        guard let tls = configuration.tls else {
            resolutionDeadline?.cancel()
            return connect(attempt, to: address)
        }
        do throws(EventLoopError) {
            try loop.offload { [configuration] in
                Result { () throws(MQTTError) in
                    try TLSContext(
                        tls, host: configuration.host, broker: configuration.brokerDescription)
                }
            } then: { result in
                self.assumeIsolated { $0.prepared(result, attempt, address, question) }
            }
        } catch {
            prepared(
                .failure(
                    MQTTError(
                        .invalidConfiguration, broker: configuration.brokerDescription,
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
        case .failure(let error): wait(after: error)
        }
    }

    func connect(_ attempt: Attempt, to address: Address) {
        let connection: Connection
        do {
            connection = try Connection(
                to: address, version: versions.next, configuration: configuration, tls: attempt.tls)
        } catch {
            return wait(after: error)
        }
        // An address that does not answer must not keep the next one waiting for long, nor a proof what works.
        let patience =
            attempt.remaining.isEmpty && !versions.isProof
            ? configuration.connectTimeout : min(configuration.connectTimeout, .seconds(3))
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
            logger.info("The broker does not answer MQTT \(connection.version); trying \(versions.next)")
            return connect(attempt, to: connection.address)
        }
        connectionEnded(connection, error)
    }

    func accepted(_ connection: Connection, window: Int) {
        guard case .connecting(_, let attempt, let deadline) = phase else { return }
        deadline.cancel()
        guard versions.accepted() else {
            logger.debug("The broker took MQTT \(connection.version); asking for \(versions.next) once more")
            connection.close(withWill: false)
            return connect(attempt, to: connection.address)
        }
        preferredAddress = connection.address
        phase = .connected(connection, since: EventLoop.now)
        if hasBeenConnected { reconnects += 1 }
        hasBeenConnected = true
        loggedFailures = LoggedFailures()
        loggedRefusals = []
        logger.notice(
            "Connected to the broker",
            metadata: ["address": "\(connection.address.description)", "version": "\(connection.version)"])
        for subscription in subscriptions.inOrder { connection.subscribe(subscription) }
        outbox.connected(window: window, at: EventLoop.now, random: random())
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
