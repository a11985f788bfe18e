public import DBus
public import EventLoop
public import VirtualDevices

/// Serves one set of virtual devices to several simulated hosts. Each host has a simulated BlueZ on its own bus.
///
/// All simulators run on one loop. The simulator that currently runs holds the shared environment. When this simulator
/// returns the environment, the other simulators carry out the outputs that concern them.
public actor AirServer: PeripheralServer {
    /// A simulated host, and the bus of its BlueZ.
    public struct Place: Sendable {
        /// A bus on which no BlueZ runs, such as a private bus.
        public var bus: DBus.Address
        /// The host, as the shared radio environment knows it.
        public var host: Air.Host
        /// The behavior of the host's simulated BlueZ.
        public var options: LookAlike.Options
        /// The names of the devices that have a bond with the host from the start; nil for the devices whose scenario
        /// defines a bond.
        public var bonds: Set<String>?

        /// Creates a host with its bus.
        public init(
            bus: DBus.Address, host: Air.Host, options: LookAlike.Options, bonds: Set<String>? = nil
        ) {
            self.bus = bus
            self.host = host
            self.options = options
            self.bonds = bonds
        }
    }

    /// The event loop on which the server runs.
    public nonisolated let loop: EventLoop
    /// Runs the actor on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let places: [Place]
    private let names: [String]
    private let report: @Sendable (Report) -> Void
    private var air: Air
    /// Whether a simulator currently holds the shared radio environment.
    private var isLent = false
    private var isDelivering = false
    private var servers: [LookAlike] = []
    /// The hosts that have lost the connection to their bus.
    private var losses: Set<Int> = []
    private var timer: LoopTimer?

    /// Prepares the hosts. ``start()`` connects each host to its bus.
    ///
    /// - Parameters:
    ///   - world: The devices.
    ///   - report: Called with every report, on the loop's thread.
    public init(
        _ world: World, places: [Place], loop: EventLoop, report: @escaping @Sendable (Report) -> Void
    ) {
        self.loop = loop
        self.places = places
        self.report = report
        air = Air(world, hosts: places.map(\.host))
        names = air.hostNames
    }

    /// Starts every host, and returns when their adapters are present.
    ///
    /// - Throws: ``SimulatorError`` if a bus cannot be reached or already has a Bluetooth service. In this case, no
    ///   host stays connected.
    public func start() async throws {
        servers = places.indices.map { makeServer($0) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for server in servers { group.addTask { try await server.start() } }
                try await group.waitForAll()
            }
        } catch {
            await stop()
            throw error
        }
        deliver()
    }

    /// Executes a live line, which a user types: about a device, or `host NAME` with `freeze`, `thaw`, `adapter …` or
    /// `bluez …`.
    public func perform(line: String) async {
        switch HostLine(line, hosts: names) {
        case .freeze(let host, let isFrozen): freeze(host, isFrozen)
        case .daemon(let host, let line): await servers[host].perform(line: line)
        case .mistake(let message):
            air.complain(message)
            deliver()
        case nil:
            air.perform(line: line, at: EventLoop.now)
            deliver()
        }
    }

    /// Disconnects every host from its bus.
    public func stop() async {
        timer?.cancel()
        timer = nil
        for (index, server) in servers.enumerated() {
            if !losses.contains(index) { freeze(index, false) }
            await server.stop()
        }
        servers = []
    }

    // MARK: Simulators

    /// Hands the radio environment to the simulator that runs now. ``takeBack(_:)`` must follow.
    func lend() -> Air {
        isLent = true
        defer { air = .none }
        return air
    }

    /// Takes the radio environment back from a simulator.
    func takeBack(_ air: Air) {
        isLent = false
        self.air = air
    }

    /// Lets all hosts carry out their pending outputs until none are left, and passes the devices' reports to the
    /// observer.
    func deliver() {
        guard !isLent, !isDelivering else { return }
        isDelivering = true
        while let host = air.hostWithMail, servers.indices.contains(host) {
            servers[host].assumeIsolated { $0.run { daemon, now in daemon.advance(to: now) } }
        }
        isDelivering = false
        for event in air.takeReports() { report(event) }
        timer?.cancel()
        timer = air.nextDeadline.map { deadline in
            loop.schedule(after: max(.zero, deadline - EventLoop.now)) { [weak self] in
                self?.assumeIsolated { $0.pass() }
            }
        }
    }

    /// Handles the loss of a host's bus connection: the host is frozen permanently.
    func lost(_ host: Int) {
        freeze(host, true)
        losses.insert(host)
    }

    private func pass() {
        guard !isLent else { return }
        air.pass(to: EventLoop.now)
        deliver()
    }

    private func freeze(_ host: Int, _ isFrozen: Bool) {
        guard !losses.contains(host) else {
            air.complain("the bus of host '\(names[host])' is lost: the host stays frozen")
            return deliver()
        }
        air.setFrozen(isFrozen, names[host], at: EventLoop.now)
        servers[host].assumeIsolated { $0.setFrozen(isFrozen) }
        deliver()
    }

    private func makeServer(_ index: Int) -> LookAlike {
        let place = places[index]
        let memory = place.options.memoryFile.map { MemoryFile(path: $0) }
        let bonds = air.world.peripherals.filter { place.bonds?.contains($0.name) ?? $0.isBonded }
        return LookAlike(
            bus: place.bus, loop: loop,
            daemon: Daemon(
                options: place.options, air: .none, host: index, bonds: bonds,
                remembered: memory?.read() ?? []),
            memory: memory, sharing: self, report: report)
    }
}
