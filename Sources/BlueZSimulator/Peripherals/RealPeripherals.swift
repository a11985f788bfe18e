public import DBus
public import EventLoop
import Logging
public import VirtualDevices

/// Serves virtual devices as real peripherals, through a real bluetoothd and its adapters: one device per adapter.
///
/// The server registers a GATT application and an advertisement, accepts pairing on its own adapters only, and
/// registers again when bluetoothd or an adapter returns. It learns about connections from bluetoothd's client objects.
/// A lost connection (`drop`, `mute`) is simulated by an orderly disconnect, which takes bluetoothd 2 s.
public actor RealPeripherals: PeripheralServer {
    static let root: ObjectPath = "/tactile_simulator"
    static let advertisements: ObjectPath = "/tactile_advertisements"
    static let agent: ObjectPath = "/tactile_agent"
    /// How long after a failed step of a registration the step is repeated.
    static let pause = Duration.milliseconds(300)

    /// The event loop on which the server runs.
    public nonisolated let loop: EventLoop
    /// Runs the actor on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let logger = Logger(label: "peripherals")
    let report: @Sendable (Report) -> Void
    private let bus: DBus.Address
    private let adapters: [String]
    private let patience: Duration
    var world: World
    var connection: Connection?
    var devices: [ServedDevice] = []
    var requests: [Int: PendingRequest] = [:]
    var lastFailure: String?
    var pacer = Pacer()
    private var subscriptions: [Subscription] = []
    private var timer: LoopTimer?
    private var lastNumber = 0
    private var readiness: CheckedContinuation<Bool, Never>?
    /// Whether the server is stopping, so that nothing new is registered. If a program exits while it registers an
    /// advertisement, bluetoothd keeps the advertisement indefinitely, and it occupies one of the adapter's few
    /// advertising slots.
    private(set) var isEnding = false

    /// A read or write that the device has not answered.
    struct PendingRequest {
        var answer: DBus.Answer?
        var offset = 0
    }

    /// Prepares the peripherals. ``start()`` publishes them.
    ///
    /// - Parameters:
    ///   - bus: The bus of the real bluetoothd.
    ///   - adapters: The adapters, such as `hci1`. The first device of the world gets the first adapter, and so on.
    ///   - world: The devices to serve. Devices without an adapter are reported and ignored.
    ///   - patience: The maximum time until bluetoothd and its adapters are present.
    ///   - report: Called with every report, on the loop's thread.
    public init(
        bus: DBus.Address, adapters: [String], loop: EventLoop, world: World,
        patience: Duration = .seconds(15), report: @escaping @Sendable (Report) -> Void
    ) {
        self.bus = bus
        self.adapters = adapters
        self.loop = loop
        self.world = world
        self.patience = patience
        self.report = report
    }

    /// Registers everything and waits until clients can find the devices.
    ///
    /// - Throws: ``SimulatorError`` if the bus, bluetoothd or an adapter is absent or rejects a request.
    public func start() async throws {
        let connection: Connection
        do {
            connection = try await Connection.open(bus, loop: loop)
        } catch {
            throw SimulatorError(.noBus, "The bus \(bus) cannot be used: \(error)")
        }
        self.connection = connection
        assignAdapters()
        try export()
        await connection.onClose { [weak self] reason in
            guard case .lost = reason else { return }
            self?.assumeIsolated { $0.busIsLost() }
        }
        subscriptions = try await subscribe(connection)
        carryOut { world, now in world.start(at: now) }
        if try await connection.owner(of: BlueZName.service) != nil { daemonCame() }
        try await waitUntilSettled()
    }

    /// Executes a live line (typed by a user) about a device.
    public func perform(line: String) {
        carryOut { world, now in world.perform(line: line, at: now) }
    }

    /// Removes the devices and closes their connections.
    public func stop() async {
        guard let connection else { return }
        isEnding = true
        timer?.cancel()
        for device in devices {
            for link in device.links {
                await attempt("Disconnect", of: BlueZName.device, at: link, connection)
            }
            await attempt(
                "UnregisterAdvertisement", of: BlueZName.advertisingManager, at: device.adapterPath,
                connection,
                .objectPath(device.advertisementPath))
            await attempt(
                "UnregisterApplication", of: BlueZName.gattManager, at: device.adapterPath, connection,
                .objectPath(device.root))
        }
        await connection.close()
        end()
    }

    /// Runs the body with the world and carries out the outputs.
    func carryOut(_ body: (inout World, Duration) -> [WorldOutput]) {
        for output in body(&world, EventLoop.now) { perform(output) }
        timer?.cancel()
        timer = world.nextDeadline.map { deadline in
            loop.schedule(after: max(.zero, deadline - EventLoop.now)) { [weak self] in
                self?.assumeIsolated { $0.carryOut { world, now in world.advance(to: now) } }
            }
        }
    }

    func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func place(of name: String) -> Int? { devices.firstIndex { $0.name == name } }

    /// Resumes `start` when clients can find every device.
    func checkSettled() {
        guard let readiness, devices.allSatisfy({ $0.registration.isSettled }) else { return }
        self.readiness = nil
        readiness.resume(returning: true)
    }

    private func assignAdapters() {
        for (index, peripheral) in world.peripherals.enumerated() {
            guard index < adapters.count else {
                let message = "'\(peripheral.name)' is not served: there are only \(adapters.count) adapters"
                report(Report(device: peripheral.name, time: EventLoop.now, event: .error(message)))
                continue
            }
            devices.append(ServedDevice(peripheral, adapter: adapters[index]))
        }
    }

    private func waitUntilSettled() async throws {
        guard !devices.allSatisfy({ $0.registration.isSettled }) else { return }
        let deadline = loop.schedule(after: patience) { [weak self] in
            self?.assumeIsolated {
                $0.readiness?.resume(returning: false)
                $0.readiness = nil
            }
        }
        let wereSettled = await withCheckedContinuation { continuation in
            guard !devices.allSatisfy({ $0.registration.isSettled }) else {
                return continuation.resume(returning: true)
            }
            readiness = continuation
        }
        deadline.cancel()
        // `isSettled` can be false again although the wait succeeded, because a client that connects stops the
        // advertising.
        guard !wereSettled, let unsettled = devices.first(where: { !$0.registration.isSettled }) else {
            return
        }
        let failure = lastFailure.map { ": \($0)" } ?? ""
        await connection?.close()
        end()
        guard unsettled.registration.isAdapterThere else {
            throw SimulatorError(
                .noAdapter,
                "bluetoothd on \(bus) has no adapter \(unsettled.adapter): see 'bluetoothctl list'")
        }
        throw SimulatorError(
            .refused, "bluetoothd does not serve '\(unsettled.name)' on \(unsettled.adapter)\(failure)")
    }

    private func attempt(
        _ member: String, of interface: String, at path: ObjectPath, _ connection: Connection,
        _ arguments: Value...
    ) async {
        // The server stops here, so a failed call is ignored: bluetoothd removes all registrations when the connection
        // to the bus is closed.
        _ = try? await connection.call(
            Message(call: member, of: interface, at: path, on: BlueZName.service, arguments),
            timeout: .seconds(3))
    }

    private func busIsLost() {
        report(Report(device: nil, time: EventLoop.now, event: .error("the bus \(bus) is lost")))
        end()
    }

    private func end() {
        timer?.cancel()
        timer = nil
        connection = nil
        subscriptions = []
        requests = [:]
        readiness?.resume(returning: false)
        readiness = nil
    }
}
