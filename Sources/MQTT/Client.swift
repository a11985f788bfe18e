import CoreMetrics
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
        case resolving
        case connecting(Connection, attempt: Attempt, deadline: LoopTimer)
        case connected(Connection, since: Duration)
        /// Waiting for the next attempt.
        case waiting(LoopTimer)
        case closed
    }

    /// The addresses that are left to try.
    struct Attempt {
        var remaining: [Address]
        let known: [Address]
        /// What the broker's certificate is verified with, whatever the address.
        var tls: TLSContext?
    }

    /// The loop that the client lives on.
    public nonisolated let loop: EventLoop
    /// How the client connects.
    public nonisolated let configuration: Configuration

    var logger: Logger
    let random: @Sendable () -> Double
    let resolve: Resolver.Function
    let finished: AsyncStream<Never>
    let finish: AsyncStream<Never>.Continuation

    var phase = Phase.idle
    /// The client id of the next connection.
    var clientID: String
    var outbox: Outbox
    /// Whether nothing but probes is sent.
    var isHeldBack = false
    var overwritten = OverwrittenTopics()
    var restoreTimer: LoopTimer?
    var backoff = Backoff()
    /// Each broker as a configuration of its own.
    let targets: [Configuration]
    var choice: ServerChoice
    /// Which broker accepted the last connection.
    var lastBroker: Int?
    private var versionChoices: [VersionChoice]
    var takeovers = TakeoverWatch()
    var subscriptions = SubscriptionList()
    var resolution = 0
    var resolutionDeadline: LoopTimer?
    var preferredAddress: Address?
    var ticker: LoopTimer?
    var tickedAt: Duration = .zero
    var isSettling = false
    var hasBeenConnected = false
    var loggedFailures = LoggedFailures()
    /// The topics whose refusal was logged since the last connect.
    var loggedRefusals: Set<String> = []
    static let loggedRefusalLimit = 1_000
    /// The tasks that wait until everything has arrived.
    let drainWaiters: Waiters
    /// What is being done to leave the connection as soon as it has been read out.
    var renewal: Renewal?
    /// The packet that asks whether the broker has read all that was sent before.
    var question: CInt?
    /// The subscriptions that the broker refused.
    var refusedSubscriptions = SubscriptionRetries()
    var retryTimer: LoopTimer?
    /// How often the connection was made anew at once, since it lasted or showed something.
    var promptReconnects = 0
    /// When the way was measured last.
    var lastProbe: Duration?
    /// The probe that waits for the socket to take what was handed over before.
    var waitingProbe: Probe?
    /// Who is to be told when the probe that was handed over is in the socket.
    var probeSent: (@Sendable (Duration) -> Void)?

    var messageHandler: ((IncomingMessage) -> Void)?
    var eventHandler: ((Event) -> Void)?

    var received = 0
    var reconnects = 0
    var latency = LatencyHistogram()
    /// The same for a watcher outside the process.
    let acknowledgementTimer = Timer(label: "tactile_bridge_mqtt_acknowledgement_seconds")
    var nextDropReport = 1
    var reportedDrops = 0

    /// The actor's executor is the loop, so being isolated to the client is being on the loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The broker that is asked, or was asked last.
    var target: Configuration { targets[choice.current] }

    /// What is known of the versions that this broker speaks.
    var versions: VersionChoice {
        get { versionChoices[choice.current] }
        set { versionChoices[choice.current] = newValue }
    }

    init(
        configuration: Configuration, loop: EventLoop, logger: Logger,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        resolve: @escaping Resolver.Function = Resolver.resolve
    ) {
        self.configuration = configuration
        self.loop = loop
        self.logger = logger
        clientID = configuration.clientID
        targets = configuration.servers.map(configuration.only)
        self.logger[metadataKey: "broker"] = "\(targets[0].brokerDescription)"
        self.random = random
        self.resolve = resolve
        drainWaiters = Waiters(on: loop)
        outbox = Outbox(limits: configuration.limits, hasOthers: targets.count > 1)
        choice = ServerChoice(count: targets.count)
        versionChoices = targets.map { VersionChoice($0.version) }
        (finished, finish) = AsyncStream.makeStream(of: Never.self)
    }

    /// Makes a client; it does nothing before ``run()``, but takes messages and subscriptions.
    public static func open(configuration: Configuration, loop: EventLoop, logger: Logger) -> Client {
        Client(configuration: configuration, loop: loop, logger: logger)
    }

    /// Connects and stays connected until ``close(lastWords:within:)``, or until the task is cancelled.
    ///
    /// Cancelled, it says nothing to the broker, which then publishes the last will.
    public func run() async {
        guard case .idle = phase else { return }
        beginAttempt()
        for await _ in finished {}
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

    /// Counts what was done, and begins a new summary of latencies.
    public func takeStatistics() -> BrokerStatistics {
        defer { latency = LatencyHistogram() }
        return statistics
    }

    /// Counts what was done.
    public var statistics: BrokerStatistics {
        var statistics = BrokerStatistics()
        statistics.received = received
        statistics.sent = outbox.sent
        statistics.acknowledged = outbox.acknowledged
        statistics.repeated = outbox.repeated
        statistics.dropped = outbox.dropped
        statistics.queueDepth = outbox.depth
        statistics.inFlight = outbox.inFlight.count
        statistics.reconnects = reconnects
        statistics.latency = latency.summary
        statistics.missingSubscriptions = refusedSubscriptions.reasons.keys.sorted()
        statistics.rejectedTopics = outbox.suspicion.rejected.keys.sorted()
        return statistics
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
