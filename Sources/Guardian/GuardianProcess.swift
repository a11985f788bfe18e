import BridgeContract
import DBus
import EventLoop
import Glibc
import HostServices
import Logging

/// The second process: holds one end of a line to the bridge, and the wills; makes the devices safe when the line
/// closes without a goodbye, or when the bridge lets a motion's deadline pass.
///
/// Its connection to the bus is open before it is needed. It speaks with no other peer.
package actor GuardianProcess {
    /// The descriptor at which it finds its end of the line.
    static let lineDescriptor: CInt = 3
    /// How long it waits for a bus that is away when something is to be written.
    private static let busTime = Duration.seconds(5)
    /// How long the bus may take for an answer; less than the bridge's patience with its guardian.
    static let busAnswerTime = Duration.seconds(1)
    /// How often it looks whether an earlier guardian has ended.
    private static let lockInterval = Duration.milliseconds(50)

    let loop: EventLoop
    let options: GuardianOptions
    let logger: Logger
    /// What is to be done, until there is nothing more; bounded by the devices.
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let jobsInput: AsyncStream<@Sendable () async -> Void>.Continuation

    var book = WillBook()
    var buffer = LineBuffer()
    /// What the bridge has not read yet.
    var outgoing: [UInt8] = []
    /// The line; nil when the bridge has said goodbye or is dead.
    var watch: Watch?
    var alarm: LoopTimer?
    /// The devices whose motion could not be ended so far.
    var failing: Set<String> = []
    var isFileStale = false
    /// How far the wills of a dead bridge are.
    var farewell: Farewell?
    /// The names of adapters that the bridge owns, each with the sign that tells who the guardian is.
    var claims: [String: String] = [:]
    private(set) var connection: Connection?
    private var connectionWaiters: [CheckedContinuation<Void, Never>] = []
    /// How many jobs are under way.
    private var jobCount = 0
    /// Held open for the lock on it, until the process ends.
    private var lockFile: CInt = -1

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ options: GuardianOptions, loop: EventLoop, logger: Logger) {
        self.options = options
        self.loop = loop
        self.logger = logger
        (jobs, jobsInput) = AsyncStream.makeStream()
    }

    /// Is the guardian of the process that started this one, to the end.
    package static func run(_ options: GuardianOptions) async throws {
        detachFromTerminal()
        var logger = LogControl(level: options.logLevel, format: options.logFormat).makeLogger()
        logger[metadataKey: "part"] = "guardian"
        let loop = try EventLoop.start(name: "guardian")
        let guardian = GuardianProcess(options, loop: loop, logger: logger)
        await withTaskExecutorPreference(loop) { await guardian.work() }
    }

    /// Leaves the terminal, and lets nothing but the end of the line end it.
    private static func detachFromTerminal() {
        for number in [SIGTERM, SIGINT, SIGHUP, SIGABRT, SIGQUIT, SIGPIPE, SIGXFSZ] {
            signal(number, SIG_IGN)
        }
        _ = setsid()
        _ = chdir("/")
        // Whatever the bridge had open, such as its connection to the broker, must end with the bridge.
        closefrom(lineDescriptor + 1)
        _ = fcntl(lineDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(lineDescriptor, F_SETFL, O_NONBLOCK)
    }

    private func work() async {
        watch = loop.watch(Self.lineDescriptor, for: .readable) { [weak self] readiness in
            self?.assumeIsolated { guardian in
                if readiness.contains(.writable) { guardian.send() }
                guardian.read()
            }
        }
        takeLock()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.stayOnBus() }
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    // MARK: Jobs

    /// Does something; the process lives until it is done.
    func spawn(_ job: @escaping @Sendable (isolated GuardianProcess) async -> Void) {
        jobCount += 1
        jobsInput.yield {
            await job(self)
            await self.jobIsDone()
        }
    }

    private func jobIsDone() {
        jobCount -= 1
        endIfDone()
    }

    /// Ends the process if there is no bridge and nothing to be done any more.
    func endIfDone() {
        if watch == nil, jobCount == 0 { jobsInput.finish() }
    }

    // MARK: The lock

    /// Takes the lock as soon as no guardian of an earlier bridge has it, and tells the bridge.
    private func takeLock() {
        guard let lock = options.lock else { return reply(.ready) }
        do {
            if lockFile < 0 { lockFile = try lock.open() }
            if let own = ProcessIdentity(of: getpid()) {
                let holder = GuardianLock.Holder(
                    guardian: own, bridge: ProcessIdentity(of: options.bridge))
                guard try !lock.take(lockFile, holder) else { return reply(.ready) }
            }
        } catch {
            logger.error(
                "no lock: a bridge that is started after this one may not wait for this guardian",
                metadata: ["reason": "\(error)"])
            return reply(.ready)
        }
        _ = loop.schedule(after: Self.lockInterval) { [weak self] in
            self?.assumeIsolated { if $0.watch != nil { $0.takeLock() } }
        }
    }

    // MARK: The bus

    private func stayOnBus() async {
        let reconnector = Reconnector(Address(options.bus), loop: loop, logger: logger)
        try? await reconnector.run { [weak self] connection in
            await self?.use(connection)
            _ = try await connection.waitForClose()
            await self?.use(nil)
        }
    }

    private func use(_ connection: Connection?) {
        self.connection = connection
        guard connection != nil else { return reply(.noBus(0)) }
        logger.debug("on the bus")
        reply(.onBus)
        for waiter in connectionWaiters { waiter.resume() }
        connectionWaiters = []
        queueForAll()
    }

    /// A connection that is open; nil if there is none in time.
    func openConnection() async -> Connection? {
        if let connection { return connection }
        await withCheckedContinuation { continuation in
            guard connection == nil else { return continuation.resume() }
            connectionWaiters.append(continuation)
            _ = loop.schedule(after: Self.busTime) { [weak self] in
                self?.assumeIsolated { guardian in
                    for waiter in guardian.connectionWaiters { waiter.resume() }
                    guardian.connectionWaiters = []
                }
            }
        }
        return connection
    }
}
