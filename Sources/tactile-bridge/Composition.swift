import BlueZ
import BridgeCore
import DeviceCatalog
import EventLoop
import Logging
import MQTT
import ServiceLifecycle
import UnixSignals

/// Puts the bridge together: the one place where the side of the buses and the side of the devices meet.
struct Composition {
    /// What the bridge itself is told.
    var bridge: BridgeSettings
    /// How the broker is reached, the bridge's last will included.
    var broker: MQTT.Configuration
    /// How BlueZ is reached.
    var bluetooth: BlueZ.Settings
    /// Where names and joined devices are kept.
    var store: any StateStore
    /// Where remarks go.
    var logger: Logger

    /// Runs until SIGTERM or SIGINT, then ends everything in order: devices first, so that what moves or
    /// vibrates stops while the bus is still there; then the broker, after the last words are out; the bus last.
    func run() async throws {
        let loop = try EventLoop.start(name: "tactile-bridge")
        let daemon = BlueZ.Daemon(settings: bluetooth, loop: loop, logger: logger.labelled("bluez"))
        let client = MQTT.Client.open(
            configuration: broker, loop: loop, logger: logger.labelled("mqtt"))
        let port = MQTTBroker(client, logger: logger.labelled("mqtt"))
        let bridge = Bridge(
            settings: self.bridge, families: Registry.families,
            world: Bridge.World(
                radio: BlueZRadio(daemon), broker: port, store: store, time: LoopTime(loop: loop),
                executor: loop, logger: logger.labelled("bridge")))
        let services: [any Service] = [BlueZService(daemon: daemon), port, bridge]
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(
                        service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger.labelled("services", from: .notice)))
        // Tasks that belong to no actor run on the loop too: a job of a session then changes no thread.
        try await withTaskExecutorPreference(loop) { try await group.run() }
        await daemon.close()
        loop.stop()
    }
}

/// Follows BlueZ for as long as the other services live.
private struct BlueZService: Service {
    let daemon: BlueZ.Daemon

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await daemon.run() }
        } catch is CancellationError {
            // The way in which it is ended.
        }
    }
}

extension Logger {
    /// The same logger, its lines marked with the part of the program that they come from.
    fileprivate func labelled(_ part: String, from level: Logger.Level? = nil) -> Logger {
        var logger = self
        logger[metadataKey: "part"] = "\(part)"
        if let level { logger.logLevel = max(logger.logLevel, level) }
        return logger
    }
}
