import BlueZ
import BridgeConfiguration
import BridgeContract
import BridgeCore
import CoreMetrics
import DeviceKit
import EventLoop
import Guardian
import HostServices
import Logging
import MQTT
import MetricsEndpoint
import ServiceLifecycle
import UnixSignals

/// Puts the bridge together: the one place where the side of the buses and the side of the devices meet.
struct Composition {
    /// What the bridge itself is told.
    var bridge: BridgeSettings
    var families: [any DeviceFamily]
    /// How the broker is reached, the bridge's last will included.
    var broker: MQTT.Configuration
    /// How BlueZ is reached.
    var bluetooth: BlueZ.Settings
    /// What the process is told that makes the devices safe if this one dies.
    var guardian: GuardianOptions
    /// Where names and joined devices are kept.
    var store: any StateStore
    /// Where emergency stops are kept.
    var latches: any LatchStore
    /// Where figures are served; nil for nowhere.
    var metrics: ListenAddress?
    /// The supervisor that is told the service's state; nil without one.
    var supervisor: Supervisor?
    /// Where remarks go.
    var logger: Logger
    /// What decides which of them are made.
    var log: LogControl
    /// Where recordings are written that are asked for over MQTT.
    var recordings: any RecordingStore
    /// The recording that begins with the bridge; nil for none.
    var recordingFromStart: RecordingFromStart?
    /// What the configuration says now, and how it is read anew.
    var configuration: LiveConfiguration

    /// Runs until SIGTERM or SIGINT, then ends everything in order: devices first, so that what moves or
    /// vibrates stops while the bus is still there; then the broker, after the last words are out; the bus last.
    ///
    /// - Throws: `BridgeWithdrawal` after the same orderly end, if another process has the bridge's id.
    func run() async throws {
        let loop = try EventLoop.start(name: "tactile-bridge", isPrompt: true)
        // Before anything is made that records: it asks once where to.
        let figures = MetricsStore()
        if metrics != nil { MetricsSystem.bootstrap(figures) }
        // From here on SIGHUP does not end the process, until the process ends.
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        let guardian = ProcessGuardian(guardian, loop: loop, logger: logger.labelled("guardian"))
        await guardian.start()
        var bluetooth = bluetooth
        bluetooth.leases = LeaseSettings(bridge: bridge.id, successor: guardian)
        let daemon = BlueZ.Client(settings: bluetooth, loop: loop, logger: logger.labelled("bluez"))
        let client = MQTT.Client.open(
            configuration: broker, loop: loop, logger: logger.labelled("mqtt"))
        let port = MQTTBroker(client)
        let bridge = Bridge(
            settings: self.bridge, families: families,
            world: Bridge.World(
                radio: BlueZRadio(daemon), broker: port, store: store, latches: latches,
                time: LoopTime(loop: loop),
                guardian: guardian, executor: loop, logger: logger.labelled("bridge"),
                process: ThisProcess(log: log),
                configuration: ConfigurationReader(configuration: configuration, loop: loop),
                recordings: recordings, recordingFromStart: recordingFromStart))
        let sleep = SleepWatch(
            bus: bluetooth.bus, loop: loop, bridge: bridge, logger: logger.labelled("sleep"))
        var services: [any Service] = [
            BlueZService(daemon: daemon), port, bridge, sleep,
            ReloadService(bridge: bridge, signals: hangUps),
        ]
        if let metrics {
            let collector = MetricsCollector(
                id: self.bridge.id, version: TactileBridge.version, store: figures,
                bridge: { await bridge.figures() }, broker: { await client.statistics })
            services.append(
                MetricsServer(metrics, loop: loop, logger: logger.labelled("metrics")) {
                    await collector.text()
                })
        }
        if let supervisor {
            services.append(
                Heartbeat(
                    supervisor: supervisor,
                    parts: [
                        .init(name: "broker") { await client.isMakingProgress },
                        .init(name: "bluetooth") { await daemon.isMakingProgress() },
                    ],
                    condition: { await bridge.figures().condition },
                    sleep: { try await loop.sleep(until: EventLoop.now + $0) },
                    logger: logger.labelled("heartbeat")))
        }
        // The first one that hears of the end.
        services.append(ShutdownLimit(logger: logger.labelled("shutdown")))
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
        let withdrawal = try await withTaskExecutorPreference(loop) {
            try await guardian.takeOver()
            do {
                try await group.run()
                return nil as BridgeWithdrawal?
            } catch let withdrawal as BridgeWithdrawal {
                return withdrawal
            }
        }
        await guardian.end()
        await daemon.close()
        loop.stop()
        withExtendedLifetime(hangUps) {}
        if let withdrawal { throw withdrawal }
    }
}

/// Follows BlueZ for as long as the other services live.
private struct BlueZService: Service {
    let daemon: BlueZ.Client

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
