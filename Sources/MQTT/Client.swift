public import EventLoop
public import Logging
public import Messages

/// A client of one or several MQTT brokers that always reconnects, and keeps messages that have to arrive.
///
/// The client runs on an event loop: code on that loop publishes and receives without a thread change. Create the
/// client with ``open(configuration:loop:logger:)``, set handlers and subscriptions, then call ``run()``.
public actor Client {
    /// The state of the client, with the values that exist only in that state.
    enum Phase {
        /// `run` has not been called.
        case idle
        /// Resolving the name of a broker and reading files; the number distinguishes the answer from late
        /// answers to earlier requests.
        case resolving(Int, deadline: LoopTimer)
        case connecting(Connection, Credentials, deadline: LoopTimer)
        case connected(Session)
        /// Waiting for the broker to close the previous connection.
        case leaving(ClosingSocket)
        /// Waiting for the next attempt.
        case waiting(LoopTimer)
        case closed
    }

    /// The event loop on whose thread the client runs.
    public nonisolated let loop: EventLoop
    /// The configuration of the client.
    public nonisolated let configuration: Configuration

    var logger: Logger
    let random: @Sendable () -> Double
    let resolve: Resolver.Function
    private let closing = AsyncStream.makeStream(of: Never.self)

    private(set) var phase = Phase.idle
    var resolutionCount = 0
    var dialer: Dialer
    var subscriptions = Subscriptions()
    var outbox: Outbox
    /// Whether sending is paused: only probes are sent.
    var isSendingPaused = false
    var isSettling = false
    var figures = Figures()
    var drops = DropReport()
    var loggedFailures = LoggedFailures()
    /// The tasks that wait until all messages are acknowledged.
    let drainWaiters: Waiters
    var messageHandler: ((IncomingMessage) -> Void)?
    var eventHandler: ((Event) -> Void)?

    /// The event loop is the actor's executor, so isolation to the client means running on the loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        configuration: Configuration, loop: EventLoop, logger: Logger,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        resolve: @escaping Resolver.Function = Resolver.resolve
    ) {
        self.configuration = configuration
        self.loop = loop
        self.logger = logger
        self.random = random
        self.resolve = resolve
        dialer = Dialer(configuration)
        self.logger[metadataKey: "broker"] = "\(dialer.target.brokerDescription)"
        drainWaiters = Waiters(on: loop)
        outbox = Outbox(limits: configuration.limits, hasOthers: dialer.hasOthers)
    }

    /// Creates a client, which accepts messages and subscriptions but is idle until ``run()``.
    public static func open(configuration: Configuration, loop: EventLoop, logger: Logger) -> Client {
        Client(configuration: configuration, loop: loop, logger: logger)
    }

    /// Connects and stays connected until ``close(within:)``, or until the task is canceled.
    ///
    /// On cancellation the client sends no DISCONNECT, so the broker publishes the last will.
    public func run() async {
        guard case .idle = phase else { return }
        startRound()
        for await _ in closing.stream {}
        end(saying: .silence)
    }

    /// Sets the handler of incoming messages. It is called on the loop's thread and must not block.
    public nonisolated func onMessage(_ handler: @escaping @Sendable (IncomingMessage) -> Void) {
        perform { $0.messageHandler = handler }
    }

    /// Sets the handler of connection events. It is called on the loop's thread and must not block.
    public nonisolated func onEvent(_ handler: @escaping @Sendable (Event) -> Void) {
        perform { $0.eventHandler = handler }
    }

    /// Returns the statistics, and resets the summary of latencies.
    public func takeStatistics() -> BrokerStatistics {
        defer { figures.resetLatency() }
        return statistics
    }

    /// The statistics of the client.
    public var statistics: BrokerStatistics { figures.statistics(outbox, refused: subscriptions.refused) }

    /// When the certificate of the connected broker ends, in seconds since 1970; nil without a connection with a
    /// verified certificate.
    public var brokerCertificateEnd: Int? { session?.connection.tls?.brokerEnd }

    /// Whether a message published now goes into the socket immediately: the client is connected, no message is
    /// waiting, and the socket has accepted everything before.
    public var isWritable: Bool {
        guard let session else { return false }
        return outbox.depth == 0 && outbox.unwrittenStreams == 0 && session.connection.hasWrittenAll
    }

    /// Whether the client works. False only if the once-a-second maintenance of a connection is overdue by more than 10
    /// s; without a connection, a timer always leads to the next attempt.
    public var isMakingProgress: Bool { session.map { EventLoop.now - $0.tickedAt < .seconds(10) } ?? true }

    /// The accepted connection; nil if there is none.
    var session: Session? {
        guard case .connected(let session) = phase else { return nil }
        return session
    }

    /// Enters a phase, and stops the timers and the session of the previous phase.
    func enter(_ next: Phase) {
        switch phase {
        case .resolving(_, let timer), .connecting(_, _, let timer), .waiting(let timer): timer.cancel()
        case .connected(let session): session.end()
        case .leaving(let socket): socket.cancel()
        case .idle, .closed: break
        }
        phase = next
        guard case .closed = next else { return }
        drainWaiters.check()
        messageHandler = nil
        eventHandler = nil
        closing.continuation.finish()
    }

    /// Runs `work` on the client: immediately if called on the loop's thread, otherwise later, in the order of calls.
    nonisolated func perform(_ work: @escaping @Sendable (isolated Client) -> Void) {
        if loop.isIsolated {
            assumeIsolated(work)
        } else {
            loop.execute { self.assumeIsolated(work) }
        }
    }

    func emit(_ event: Event) { eventHandler?(event) }
}
