import BridgeContract
import BridgeCore
import DBus
import EventLoop
import Logging
import ServiceLifecycle

/// Receives the host's suspend from logind, and delays the suspend briefly to stop the devices.
///
/// Without logind, the bridge detects a suspend only after the host resumes, by its clocks.
actor SleepWatch: Service {
    private static let service = "org.freedesktop.login1"
    private static let interface = "org.freedesktop.login1.Manager"
    private static let path: ObjectPath = "/org/freedesktop/login1"

    private let bus: Address
    private let loop: EventLoop
    private let bridge: Bridge
    private let logger: Logger
    /// While this descriptor is open, logind delays the suspend (by 5 s by default).
    private var inhibitor: Descriptor?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter bus: The address of the D-Bus bus with bluetoothd and logind.
    init(bus: Address, loop: EventLoop, bridge: Bridge, logger: Logger) {
        self.bus = bus
        self.loop = loop
        self.bridge = bridge
        self.logger = logger
    }

    func run() async throws {
        let reconnector = Reconnector(bus, loop: loop, logger: logger)
        do {
            try await cancelWhenGracefulShutdown {
                try await reconnector.run { try await self.follow($0) }
            }
        } catch is CancellationError {
            // A clean shutdown cancels the task, which then throws this error.
        }
        inhibitor = nil
    }

    private func follow(_ connection: Connection) async throws {
        defer { inhibitor = nil }
        do {
            let signals = try await connection.signals(
                MatchRule(sender: Self.service, interface: Self.interface, member: "PrepareForSleep"))
            await inhibit(connection)
            for await signal in signals { await take(signal.arguments.first?.bool, connection) }
        } catch let error as DBusError {
            logger.info(
                "the host's sleep cannot be monitored: devices are not stopped before the host sleeps",
                metadata: ["reason": "\(error)"])
        }
        _ = try await connection.waitForClose()
    }

    private func take(_ isBeginning: Bool?, _ connection: Connection) async {
        switch isBeginning {
        case true?:
            await bridge.prepareForSleep()
            inhibitor = nil
        case false?:
            await inhibit(connection)
            await bridge.awake()
        case nil: break
        }
    }

    private func inhibit(_ connection: Connection) async {
        do {
            let answer = try await connection.call(
                "Inhibit", of: Self.interface, at: Self.path, on: Self.service, .string("sleep"),
                .string("Tactile Bridge"), .string("robots and vibrations are stopped"), .string("delay"))
            inhibitor = answer.first?.descriptor
            logger.debug("the host's sleep is monitored")
        } catch {
            logger.debug(
                "the host's sleep is not monitored, because logind is missing",
                metadata: ["reason": "\(error)"])
        }
    }
}
