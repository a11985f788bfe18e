public import DBus
public import EventLoop
import Logging
public import VirtualDevices

/// Serves virtual devices as `org.bluez` on a bus. Clients cannot distinguish it from BlueZ 5.66.
///
/// It runs on the loop's thread. ``Daemon`` makes all decisions; this actor handles the bus, the sockets and the clock.
public actor LookAlike: PeripheralServer {
    /// The event loop on which the server runs.
    public nonisolated let loop: EventLoop
    /// Runs the actor on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let logger = Logger(label: "look-alike")
    let report: @Sendable (Report) -> Void
    let memory: MemoryFile?
    private let bus: DBus.Address
    private var daemon: Daemon
    /// The owner of the radio environment, if several simulators share it.
    private let sharing: AirServer?
    /// Whether the simulated host is frozen, so that no call is answered.
    var isFrozen = false
    private var held: [(inout Daemon, Duration) -> [Output]] = []
    var thawing: [CheckedContinuation<Void, Never>] = []
    var connection: Connection?
    private var clients: Subscription?
    private var timer: LoopTimer?
    private var lastNumber = 0
    var answers: [Int: DBus.Answer] = [:]
    var refusals: [Int: DBusError] = [:]
    var sockets: [Int: ChannelSocket] = [:]
    var readiness: CheckedContinuation<Void, Never>?
    var isReady = false

    /// Prepares a simulator. ``start()`` connects it to the bus.
    ///
    /// - Parameters:
    ///   - bus: A bus without BlueZ, such as a private bus.
    ///   - world: The devices to serve.
    ///   - report: Called with every report, on the loop's thread.
    public init(
        bus: DBus.Address, loop: EventLoop, world: World, options: Options = Options(),
        report: @escaping @Sendable (Report) -> Void
    ) {
        let memory = options.memoryFile.map { MemoryFile(path: $0) }
        self.init(
            bus: bus, loop: loop,
            daemon: Daemon(options: options, world: world, remembered: memory?.read() ?? []), memory: memory,
            sharing: nil, report: report)
    }

    /// Prepares a simulator for a daemon.
    ///
    /// - Parameter sharing: The owner of the radio environment, on the same loop; nil if the daemon owns its
    ///   environment.
    init(
        bus: DBus.Address, loop: EventLoop, daemon: Daemon, memory: MemoryFile?, sharing: AirServer?,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.bus = bus
        self.loop = loop
        self.daemon = daemon
        self.memory = memory
        self.sharing = sharing
        self.report = report
    }

    /// Claims `org.bluez` and waits until the adapters are present.
    ///
    /// - Throws: ``SimulatorError`` if the bus cannot be reached or already has a Bluetooth service.
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
                "The bus \(bus) already has an org.bluez: choose another bus, such as a private one")
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

    /// Executes a live line, which a user types: about a device, or `adapter on|off|remove|add [name]`.
    public func perform(line: String) {
        run { daemon, now in daemon.perform(line: line, at: now) }
    }

    /// Removes the objects and the name from the bus, as a clean stop of bluetoothd does.
    public func stop() async {
        guard let connection else { return }
        run { daemon, now in daemon.stop(at: now) }
        timer?.cancel()
        try? await connection.flush()
        _ = try? await connection.releaseName(BlueZName.service)
        await connection.close()
        end()
    }

    /// Runs the body with the daemon and carries out the outputs.
    func run(_ body: @escaping (inout Daemon, Duration) -> [Output]) {
        guard !isFrozen else { return held.append(body) }
        if let sharing { daemon.air = sharing.assumeIsolated { $0.lend() } }
        let outputs = body(&daemon, EventLoop.now)
        if let sharing {
            let air = daemon.air
            daemon.air = .none
            sharing.assumeIsolated { $0.takeBack(air) }
        }
        for output in outputs { perform(output) }
        setTimer()
        sharing?.assumeIsolated { $0.deliver() }
    }

    /// Freezes the host, so that no call is answered, or resumes it with the calls that arrived in the meantime.
    func setFrozen(_ isFrozen: Bool) {
        guard self.isFrozen != isFrozen else { return }
        self.isFrozen = isFrozen
        guard !isFrozen else {
            timer?.cancel()
            return
        }
        let bodies = held
        held = []
        run { daemon, now in daemon.advance(to: now) }
        for body in bodies { run(body) }
        for continuation in thawing { continuation.resume() }
        thawing = []
    }

    private func setTimer() {
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
        report(Report(device: nil, time: EventLoop.now, event: .error("the bus \(bus) is lost")))
        end()
        sharing?.assumeIsolated { [host = daemon.host] in $0.lost(host) }
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
        for continuation in thawing { continuation.resume() }
        thawing = []
    }
}
