import BridgeContract
import DBus
import EventLoop
import Glibc
import HostServices
import Logging

/// The guardian: a second process of the bridge. It holds one end of a socket to the bridge, and the wills of the
/// devices (``LinkWill``). It makes the devices safe when the socket closes without a `goodbye`, or when the bridge
/// lets a motion's deadline pass.
///
/// The guardian connects to the bus before it needs the connection, and communicates only with the bridge and the bus.
package actor GuardianProcess {
    /// The descriptor of the guardian's end of the socket.
    static let lineDescriptor: CInt = 3
    /// How long the guardian waits for the bus if the bus is missing and there is something to write.
    private static let busTime = Duration.seconds(5)
    /// The time limit for an answer of the bus; less than the bridge's time limit for its guardian.
    static let busAnswerTime = Duration.seconds(1)
    /// The interval at which the guardian checks whether an earlier guardian has exited.
    private static let lockInterval = Duration.milliseconds(50)

    let loop: EventLoop
    let options: GuardianOptions
    let logger: Logger
    /// The pending jobs, whose number is bounded by the number of devices.
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let jobsInput: AsyncStream<@Sendable () async -> Void>.Continuation

    var book = WillBook()
    var buffer = LineBuffer()
    /// The bytes of replies that the socket has not accepted yet, because the bridge has not read earlier ones.
    var outgoing: [UInt8] = []
    /// Watches the socket to the bridge; nil after the bridge's goodbye or death.
    var watch: Watch?
    var alarm: LoopTimer?
    /// The devices whose motion could not be ended so far.
    var failing: Set<String> = []
    var isFileStale = false
    /// How far the wills are carried out after the bridge's death; nil before.
    var farewell: Farewell?
    /// The adapters' names that the bridge owns, each with the additional name that identifies the guardian.
    var claims: [String: String] = [:]
    private(set) var connection: Connection?
    private var connectionWaiters: [CheckedContinuation<Void, Never>] = []
    private var jobCount = 0
    /// The descriptor of the lock file, kept open so that the lock is held until the process ends.
    private var lockFile: CInt = -1

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ options: GuardianOptions, loop: EventLoop, logger: Logger) {
        self.options = options
        self.loop = loop
        self.logger = logger
        (jobs, jobsInput) = AsyncStream.makeStream()
    }

    /// Acts as the guardian of the parent process, until there is nothing left to do.
    package static func run(_ options: GuardianOptions) async throws {
        detachFromTerminal()
        var logger = LogControl(level: options.logLevel, format: options.logFormat).makeLogger()
        logger[metadataKey: "part"] = "guardian"
        let loop = try EventLoop.start(name: "guardian")
        let guardian = GuardianProcess(options, loop: loop, logger: logger)
        await withTaskExecutorPreference(loop) { await guardian.work() }
    }

    /// Detaches from the terminal, and ignores signals, so that only the end of the socket stops the process.
    private static func detachFromTerminal() {
        for number in [SIGTERM, SIGINT, SIGHUP, SIGABRT, SIGQUIT, SIGPIPE, SIGXFSZ] {
            signal(number, SIG_IGN)
        }
        _ = setsid()
        _ = chdir("/")
        // The bridge's other descriptors, such as its connection to the broker, must close with the bridge.
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

    /// Starts a job. The process exits only after all jobs have ended.
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

    /// Exits the process if the bridge is gone and no work is left.
    func endIfDone() {
        if watch == nil, jobCount == 0 { jobsInput.finish() }
    }

    // MARK: Lock

    /// Takes the lock as soon as no guardian of an earlier bridge holds it, then reports `ready` to the bridge.
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
                "the guardian has no lock: the next bridge may not wait for this guardian",
                metadata: ["reason": "\(error)"])
            return reply(.ready)
        }
        _ = loop.schedule(after: Self.lockInterval) { [weak self] in
            self?.assumeIsolated { if $0.watch != nil { $0.takeLock() } }
        }
    }

    // MARK: Bus

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
        logger.debug("connected to D-Bus")
        reply(.onBus)
        for waiter in connectionWaiters { waiter.resume() }
        connectionWaiters = []
        queueForAll()
    }

    /// Returns an open connection; nil if there is none in time.
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
