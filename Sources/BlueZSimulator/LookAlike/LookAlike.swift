public import DBus
import DBusServer
public import EventLoop
import Logging
public import VirtualDevices

/// Serves virtual devices as `org.bluez` on a bus, so that a client takes it for BlueZ 5.66.
///
/// It runs on the loop's thread. All that it says is decided by ``Daemon``; it only knows the bus, the sockets
/// and the clock.
public actor LookAlike: PeripheralServer {
    /// The loop that it runs on.
    public nonisolated let loop: EventLoop
    /// Runs the server on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let logger = Logger(label: "look-alike")
    let report: @Sendable (Report) -> Void
    let memory: MemoryFile?
    private let bus: DBus.Address
    private var daemon: Daemon
    var connection: Connection?
    private var clients: Subscription?
    private var timer: LoopTimer?
    private var lastNumber = 0
    var answers: [Int: DBusServer.Answer] = [:]
    var refusals: [Int: DBusError] = [:]
    var sockets: [Int: ChannelSocket] = [:]
    var readiness: CheckedContinuation<Void, Never>?
    var isReady = false

    /// Prepares a look-alike; ``start()`` puts it on the bus.
    ///
    /// - Parameters:
    ///   - bus: A bus without BlueZ, such as a private one.
    ///   - world: The devices to serve.
    ///   - report: Told of everything that is worth a line, on the loop's thread.
    public init(
        bus: DBus.Address, loop: EventLoop, world: World, options: Options = Options(),
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.bus = bus
        self.loop = loop
        self.report = report
        memory = options.memoryFile.map { MemoryFile(path: $0) }
        daemon = Daemon(options: options, world: world, remembered: memory?.read() ?? [])
    }

    /// Claims `org.bluez` and waits until the adapters are there.
    ///
    /// - Throws: ``SimulatorError`` if the bus cannot be reached or has a Bluetooth service.
    public func start() async throws {
        let connection: Connection
        do {
            connection = try await Connection.open(bus, loop: loop)
        } catch {
            throw SimulatorError(.noBus, "The bus \(bus) cannot be used: \(error)")
        }
        self.connection = connection
        await connection.exportObjectManager(at: .root, listsStandardInterfaces: true)
        guard try await connection.requestName(BlueZName.service) == .primaryOwner else {
            await connection.close()
            throw SimulatorError(
                .nameTaken,
                "The bus \(bus) has an org.bluez already: choose another bus, such as a private one")
        }
        clients = try await connection.onOwnerChange(of: nil) { [weak self] change in
            guard change.newOwner == nil, change.name.hasPrefix(":") else { return }
            self?.assumeIsolated { $0.run { daemon, now in daemon.clientLeft(change.name, at: now) } }
        }
        await connection.onClose { [weak self] reason in
            guard case .lost = reason else { return }
            self?.assumeIsolated { $0.busIsLost() }
        }
        run { daemon, now in daemon.start(at: now) }
        await withCheckedContinuation { continuation in
            if isReady { continuation.resume() } else { readiness = continuation }
        }
    }

    /// Carries out a live line: about a device, or `adapter on|off|remove|add [name]`.
    public func perform(line: String) {
        run { daemon, now in daemon.perform(line: line, at: now) }
    }

    /// Takes the objects and the name off the bus, as an orderly end of bluetoothd does.
    public func stop() async {
        guard let connection else { return }
        run { daemon, now in daemon.stop(at: now) }
        timer?.cancel()
        try? await connection.flush()
        _ = try? await connection.releaseName(BlueZName.service)
        await connection.close()
        end()
    }

    /// Lets the daemon do something and carries out what comes of it.
    func run(_ body: (inout Daemon, Duration) -> [Output]) {
        let outputs = body(&daemon, EventLoop.now)
        for output in outputs { perform(output) }
        timer?.cancel()
        timer = daemon.nextDeadline.map { deadline in
            loop.schedule(after: max(.zero, deadline - EventLoop.now)) { [weak self] in
                self?.assumeIsolated { $0.run { daemon, now in daemon.advance(to: now) } }
            }
        }
    }

    func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func busIsLost() {
        report(Report(device: nil, time: EventLoop.now, event: .error("the bus \(bus) is gone")))
        end()
    }

    private func end() {
        timer?.cancel()
        timer = nil
        connection = nil
        clients = nil
        answers = [:]
        for socket in sockets.values { socket.close() }
        sockets = [:]
        readiness?.resume()
        readiness = nil
    }
}
