public import EventLoop
public import Logging
public import Messages

/// A client of an MQTT broker, or of several, that never gives up: it connects, and connects again, and keeps what has to
/// arrive.
///
/// It lives on an event loop: code on that loop publishes and receives without a thread change. Make it
/// with ``open(configuration:loop:logger:)``, set handlers and subscriptions, then call ``run()``.
public actor Client {
    /// Where the client stands; each case carries what lives only there.
    enum Phase {
        /// `run` has not been called.
        case idle
        /// Resolves the name of a broker and reads the files for TLS; the number identifies late answers.
        case resolving(Int, deadline: LoopTimer)
        case connecting(Connection, tls: TLSContext?, deadline: LoopTimer)
        case connected(Session)
        /// Waits for the broker to close the former connection.
        case leaving(ClosingSocket)
        /// Waits for the next attempt.
        case waiting(LoopTimer)
        case closed
    }

    /// The loop that the client lives on.
    public nonisolated let loop: EventLoop
    /// How the client connects.
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
    /// Whether nothing but probes is sent.
    var isSendingPaused = false
    var isSettling = false
    var figures = Figures()
    var drops = DropReport()
    var loggedFailures = LoggedFailures()
    /// The tasks that wait until everything has arrived.
    let drainWaiters: Waiters
    var messageHandler: ((IncomingMessage) -> Void)?
    var eventHandler: ((Event) -> Void)?

    /// The actor's executor is the loop, so being isolated to the client is being on the loop's thread.
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

    /// Makes a client; it does nothing before ``run()``, but takes messages and subscriptions.
    public static func open(configuration: Configuration, loop: EventLoop, logger: Logger) -> Client {
        Client(configuration: configuration, loop: loop, logger: logger)
    }

    /// Connects and stays connected until ``close(within:)``, or until the task is cancelled.
    ///
    /// If it is cancelled, it sends no DISCONNECT, so that the broker publishes the last will.
    public func run() async {
        guard case .idle = phase else { return }
        startRound()
        for await _ in closing.stream {}
        end(saying: .silence)
    }

    /// Calls `handler` on the loop's thread for every incoming message; it must not block.
    public nonisolated func onMessage(_ handler: @escaping @Sendable (IncomingMessage) -> Void) {
        perform { $0.messageHandler = handler }
    }

    /// Calls `handler` on the loop's thread for everything that happens to the connection; it must not block.
    public nonisolated func onEvent(_ handler: @escaping @Sendable (Event) -> Void) {
        perform { $0.eventHandler = handler }
    }

    /// Counts what was done, and starts a new summary of latencies.
    public func takeStatistics() -> BrokerStatistics {
        defer { figures.resetLatency() }
        return statistics
    }

    /// Counts what was done.
    public var statistics: BrokerStatistics { figures.statistics(outbox, refused: subscriptions.refused) }

    /// Whether what is published now goes into the socket at once: the client is connected, nothing waits, and the
    /// socket has taken all that came before.
    public var isWritable: Bool {
        guard let session else { return false }
        return outbox.depth == 0 && outbox.unwrittenStreams == 0 && session.connection.hasWrittenAll
    }

    /// Whether the client does what it is there for: it is connected and looks after the connection, or something
    /// is under way that ends in a connection or in the next attempt.
    public var isMakingProgress: Bool { session.map { EventLoop.now - $0.tickedAt < .seconds(10) } ?? true }

    /// The connection that the broker has accepted, while there is one.
    var session: Session? {
        guard case .connected(let session) = phase else { return nil }
        return session
    }

    /// Enters a phase, and stops what belongs to the former one.
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

    /// Runs `work` on the client at once if this is the loop's thread, else soon and in order.
    nonisolated func perform(_ work: @escaping @Sendable (isolated Client) -> Void) {
        if loop.isIsolated {
            assumeIsolated(work)
        } else {
            loop.execute { self.assumeIsolated(work) }
        }
    }

    func emit(_ event: Event) { eventHandler?(event) }
}
