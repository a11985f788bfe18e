import BridgeCore
import DBus
import EventLoop
import Glibc
import Logging

/// The second process: holds one end of a line to the bridge, and the wills; makes the devices safe when the line
/// closes without a goodbye, or when the bridge lets a motion's deadline pass.
///
/// Its connection to the bus is open before it is needed. It speaks with nobody else.
actor GuardianProcess {
    /// The descriptor at which it finds its end of the line.
    static let lineDescriptor: CInt = 3
    /// How long it waits for a bus that is away when the bridge is dead.
    private static let busTime = Duration.seconds(5)

    private let loop: EventLoop
    private let options: GuardianOptions
    private let logger: Logger
    private let file: WillFile?
    /// What is to be done, until there is nothing more; bounded by the devices.
    private let jobs: AsyncStream<Job>
    private let jobsInput: AsyncStream<Job>.Continuation

    private enum Job: Sendable {
        /// A motion is over its deadline.
        case end(LinkWill, WillWriter)
        /// The bridge is dead.
        case all
    }

    private var book = WillBook()
    private var buffer = LineBuffer()
    private var watch: Watch?
    private var alarm: LoopTimer?
    private var connection: Connection?
    private var connectionWaiters: [CheckedContinuation<Void, Never>] = []
    private var isFileStale = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ options: GuardianOptions, loop: EventLoop, logger: Logger) {
        self.options = options
        self.loop = loop
        self.logger = logger
        file = options.file.isEmpty ? nil : WillFile(path: options.file)
        (jobs, jobsInput) = AsyncStream.makeStream()
    }

    /// Is the guardian of the process that started this one, to the end.
    static func run(_ options: GuardianOptions) async throws {
        secede()
        var logger = LogControl(level: options.logLevel, format: options.logFormat).makeLogger()
        logger[metadataKey: "part"] = "guardian"
        let loop = try EventLoop.start(name: "guardian")
        let guardian = GuardianProcess(options, loop: loop, logger: logger)
        await withTaskExecutorPreference(loop) { await guardian.work() }
    }

    /// Leaves the terminal, and lets nothing but the end of the line end it.
    private static func secede() {
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
        file?.remove()
        watch = loop.watch(Self.lineDescriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.read() }
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.stayOnBus() }
            for await job in jobs {
                switch job {
                case .end(let will, let writer): group.addTask { await self.end(will, writer) }
                case .all: await carryOutAll()
                }
            }
            group.cancelAll()
        }
    }

    // MARK: The bus

    private func stayOnBus() async {
        let reconnector = Reconnector(
            Address(options.bus), loop: loop, logger: logger,
            sleep: { [loop] in try await loop.sleep(until: EventLoop.now + $0) })
        try? await reconnector.run { [weak self] connection in
            await self?.use(connection)
            _ = try await connection.waitForClose()
            await self?.use(nil)
        }
    }

    private func use(_ connection: Connection?) {
        self.connection = connection
        guard connection != nil else { return }
        logger.debug("on the bus")
        for waiter in connectionWaiters { waiter.resume() }
        connectionWaiters = []
    }

    /// A connection that is open; nil if there is none in time.
    private func openConnection() async -> Connection? {
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

    // MARK: The line

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(Self.lineDescriptor, &bytes, bytes.count)
            if count > 0 {
                for line in buffer.append(bytes[..<count]) { take(line) }
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                break
            } else {
                // Closed, or broken: the bridge has no other way to be gone without a goodbye.
                finish(isBridgeDead: true)
                break
            }
        }
        writeFile()
        arm()
    }

    private func take(_ line: String) {
        switch GuardianMessage(line) {
        case .keep(let will): if book.keep(will) { isFileStale = true }
        case .release(let device): if book.release(device: device) { isFileStale = true }
        case .goodbye:
            file?.remove()
            finish(isBridgeDead: false)
        case nil: logger.error("a line that means nothing", metadata: ["line": "\(line.prefix(80))"])
        }
    }

    private func finish(isBridgeDead: Bool) {
        watch?.cancel()
        watch = nil
        alarm?.cancel()
        if isBridgeDead { jobsInput.yield(.all) }
        jobsInput.finish()
    }

    private func writeFile() {
        guard isFileStale, watch != nil, let file else { return }
        isFileStale = false
        do {
            try file.write(WillFile.Content(bus: options.bus, wills: book.all.filter { !$0.writes.isEmpty }))
        } catch {
            logger.error("the wills cannot be laid down", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: What it is there for

    /// Sees to it that a motion is ended in time.
    private func arm() {
        alarm?.cancel()
        guard watch != nil, let next = book.nextAlarm else { return }
        alarm = loop.schedule(after: next - EventLoop.now) { [weak self] in
            self?.assumeIsolated { $0.endMotions() }
        }
    }

    private func endMotions() {
        guard let connection else {
            alarm = loop.schedule(after: .milliseconds(100)) { [weak self] in
                self?.assumeIsolated { $0.endMotions() }
            }
            return
        }
        let writer = WillWriter(connection: connection, logger: logger)
        for will in book.takeOverdue(at: EventLoop.now) { jobsInput.yield(.end(will, writer)) }
        arm()
    }

    /// Ends a motion, unless the bridge speaks again meanwhile.
    private func end(_ will: LinkWill, _ writer: WillWriter) async {
        logger.warning(
            "the bridge is silent beyond a deadline: the motion is ended",
            metadata: ["device": "\(will.device)"])
        await writer.carryOut(will.deadlineWrites) { [weak self] in
            await self?.book.isEnded(device: will.device, deadline: will.deadline) ?? false
        }
    }

    /// The bridge is dead: makes every device safe, then closes the links, which bluetoothd might keep.
    private func carryOutAll() async {
        let wills = book.all.filter { !$0.writes.isEmpty }
        guard !wills.isEmpty else { return logger.debug("the bridge is gone; there is nothing to be done") }
        let start = EventLoop.now
        guard let connection = await openConnection() else {
            return logger.critical(
                "the bridge is gone, and the bus too: no device could be stopped",
                metadata: ["devices": "\(wills.count)"])
        }
        let writer = WillWriter(connection: connection, logger: logger)
        await writer.carryOut(wills.flatMap(\.writes))
        let time = EventLoop.now - start
        logger.warning(
            "the bridge is gone; its devices were made safe",
            metadata: ["devices": "\(wills.count)", "elapsed_ms": "\(Int(time / .milliseconds(1)))"])
        await writer.closeLinks(of: wills)
    }
}
