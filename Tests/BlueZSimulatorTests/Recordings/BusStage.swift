import Bluetooth
import DBus
import EventLoop
import Glibc
import HostTesting
import Synchronization
import VirtualDevices

@testable import BlueZSimulator

/// A bluetoothd and a device in its range, for running scenes: either the simulator or the real bluetoothd.
protocol BusStage: Sendable {
    var bus: DBus.Address { get }
    var loop: EventLoop { get }
    /// The timeout of waits.
    var patience: Duration { get }
    /// Removes the state of an earlier scene.
    func prepare() async throws
    /// Starts the device.
    func start(_ device: TestDevice) async throws
    /// Affects the radio: `drop`, `mute` or `unmute` the device.
    func radio(_ what: String) async throws
    /// Executes a live line for the device.
    func act(_ line: String) async throws
    /// Replaces the device by a different device with the same address.
    func replace(by device: TestDevice) async throws
    /// Kills bluetoothd.
    func kill() async throws
    /// Restarts bluetoothd.
    func revive() async throws
    /// Removes everything from the bus.
    func end() async
}

enum Stages {
    static let address: Bluetooth.Address = "02:B1:7E:00:00:01"

    static func world(_ device: TestDevice) -> World {
        World([(Scenario.Device(name: "tester", model: .belt(.init()), address: address), device)])
    }
}

/// The simulator on a private bus.
actor LookAlikeStage: BusStage {
    nonisolated let bus: DBus.Address
    nonisolated let loop: EventLoop
    nonisolated let patience = Duration.seconds(60)
    private let privateBus: PrivateBus
    private let folder: TemporaryDirectory
    private let servicesLate: Duration?
    private var device = TestDevice()
    private var server: LookAlike?

    /// - Parameter servicesLate: The delay of the services after `ServicesResolved` on the first connection.
    init(servicesLate: Duration? = nil) throws {
        self.servicesLate = servicesLate
        privateBus = try PrivateBus()
        bus = privateBus.address
        folder = try TemporaryDirectory()
        loop = try EventLoop.start(name: "look-alike")
    }

    func prepare() async throws {}

    func replace(by device: TestDevice) async throws { await server?.perform(line: "tester grow") }

    func start(_ device: TestDevice) async throws {
        self.device = device
        var options = LookAlike.Options()
        options.memoryFile = folder.file("known")
        options.servicesLate = servicesLate
        let server = LookAlike(
            bus: bus, loop: loop, world: Stages.world(device), options: options, report: { _ in })
        try await server.start()
        self.server = server
    }

    func radio(_ what: String) async throws { await server?.perform(line: "\(what) tester") }

    func act(_ line: String) async throws { await server?.perform(line: "tester \(line)") }

    func kill() async throws {
        await server?.connection?.close()
        server = nil
    }

    func revive() async throws { try await start(device) }

    func end() async {
        await server?.stop()
        loop.stop()
        privateBus.stop()
    }
}

/// The distribution's bluetoothd in the virtual machine. The witness uses `hci0`, the device uses `hci1`.
actor RealStage: BusStage {
    nonisolated let bus = DBus.Address("system")
    nonisolated let loop: EventLoop
    nonisolated let patience = Duration.seconds(90)
    private var server: RealPeripherals?
    /// The bluetoothd that replaces a killed one. Later scenes use it as well.
    private static let daemon = Mutex<TestProcess?>(nil)

    init() throws { loop = try EventLoop.start(name: "real") }

    func prepare() async throws { try await forgetAll() }

    func replace(by device: TestDevice) async throws {
        await server?.stop()
        try await start(device)
    }

    func start(_ device: TestDevice) async throws {
        let server = RealPeripherals(
            bus: bus, adapters: ["hci1"], loop: loop, world: Stages.world(device), patience: .seconds(60),
            report: { _ in })
        try await server.start()
        self.server = server
    }

    func radio(_ what: String) async throws {
        try TestProcess.run(["python3", "/run/realbluez/vcontrollers.py", "ctl", what, "1"])
    }

    func act(_ line: String) async throws { await server?.perform(line: "tester \(line)") }

    func kill() async throws {
        if let daemon = Self.daemon.withLock({ $0 }) {
            daemon.end(with: SIGKILL)
        } else {
            try TestProcess.run(["sh", "-c", "kill -KILL $(cat /run/realbluez/bluetoothd.pid)"])
        }
    }

    func revive() async throws {
        let started = try TestProcess([
            "/usr/libexec/bluetooth/bluetoothd", "--nodetach", "--configfile=/run/realbluez/main.conf",
        ])
        Self.daemon.withLock { $0 = started }
    }

    func end() async {
        await server?.stop()
        loop.stop()
    }

    /// The kernel's last crash message; nil if it did not crash.
    static func lastKernelFall() throws -> String? {
        try TestProcess.run(["dmesg"]).split(separator: "\n").last { $0.contains("kernel BUG at") }
            .map(String.init)
    }

    /// Removes the devices of an earlier scene from both adapters.
    private func forgetAll() async throws {
        let connection = try await Connection.open(bus, loop: loop)
        let answer = try await connection.call(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root, on: BlueZName.service)
        for path in (answer.first?.entries ?? []).compactMap(\.key.objectPath) {
            guard path.name.hasPrefix("dev_"), let adapter = path.parent else { continue }
            _ = try? await connection.call(
                "RemoveDevice", of: BlueZName.adapter, at: adapter, on: BlueZName.service, .objectPath(path))
        }
        await connection.close()
    }
}
