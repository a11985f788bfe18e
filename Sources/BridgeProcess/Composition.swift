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
import ProxyRadio
import ServiceLifecycle
import UnixSignals

/// Assembles the bridge: the only code that connects BlueZ and MQTT with the devices.
struct Composition {
    var bridge: BridgeSettings
    var families: [any DeviceFamily]
    /// The connection to the broker, including the bridge's last will.
    var broker: MQTT.Configuration
    /// The certificates of that connection.
    var certificates: CertificateDays
    var bluetooth: BlueZ.Settings
    /// The Bluetooth proxies.
    var proxies: [ProxySettings]
    /// The options of the guardian, the process that makes the devices safe if this process dies.
    var guardian: GuardianOptions
    /// The storage of names and joined devices.
    var store: any StateStore
    /// The storage of emergency stops.
    var latches: any LatchStore
    /// The address on which metrics are served; nil to serve no metrics.
    var metrics: ListenAddress?
    /// The supervisor that receives the service's state, such as systemd; nil if there is none.
    var supervisor: Supervisor?
    var logger: Logger
    /// Creates the loggers, and changes the log levels while the bridge runs.
    var log: LogControl
    /// The storage of recordings that are requested over MQTT.
    var recordings: any RecordingStore
    /// The recording that starts with the bridge; nil for none.
    var recordingFromStart: RecordingFromStart?
    /// The current configuration, which can also reload the configuration files.
    var configuration: LiveConfiguration

    /// Runs the bridge until SIGTERM or SIGINT, then stops everything in order. Devices are stopped first, so that
    /// moving or vibrating devices stop while D-Bus is still connected. The broker is disconnected after the last
    /// messages are sent, and D-Bus is disconnected last.
    ///
    /// - Throws: `BridgeWithdrawal` after the same clean shutdown, if another process has the bridge's id.
    func run() async throws {
        let loop = try EventLoop.start(name: "tactile-bridge", isPrompt: true)
        // The backend is set before the first metric is created, because a metric looks the backend up only once.
        let figures = MetricsStore()
        if metrics != nil { MetricsSystem.bootstrap(figures) }
        // From here until the process exits, SIGHUP does not stop the process.
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        let guardian = ProcessGuardian(guardian, loop: loop, logger: logger.labelled("guardian"))
        await guardian.start()
        var bluetooth = bluetooth
        bluetooth.leases = LeaseSettings(bridge: bridge.id, successor: guardian)
        let daemon = BlueZ.Client(settings: bluetooth, loop: loop, logger: logger.labelled("bluez"))
        let proxies = proxies.map {
            ProxyRadio(ProxyRadio.Settings($0), loop: loop, logger: logger.labelled("proxy"))
        }
        let host = BlueZRadio(daemon)
        let composite =
            proxies.isEmpty
            ? nil : CompositeRadio(host: host, proxies: proxies, executor: loop) { EventLoop.now }
        let client = MQTT.Client.open(
            configuration: broker, loop: loop, logger: logger.labelled("mqtt"))
        let port = MQTTBroker(client)
        let bridge = Bridge(
            settings: self.bridge, families: families,
            ports: Bridge.Ports(
                radio: composite ?? host, broker: port, store: store, latches: latches,
                time: LoopTime(loop: loop),
                guardian: guardian, executor: loop, logger: logger.labelled("bridge"),
                process: ThisProcess(log: log),
                configuration: ConfigurationReader(configuration: configuration, loop: loop),
                recordings: recordings, recordingFromStart: recordingFromStart))
        let sleep = SleepWatch(
            bus: bluetooth.bus, loop: loop, bridge: bridge, logger: logger.labelled("sleep"))
        var services: [any Service] = [BlueZService(daemon: daemon)]
        services += proxies.map { ProxyService(proxy: $0) }
        services += [port, bridge, sleep, ReloadService(bridge: bridge, signals: hangUps)] as [any Service]
        let parts: [Heartbeat.Part] = [
            .init(name: "broker") { await client.isMakingProgress },
            .init(name: "bluetooth") { await daemon.isMakingProgress() },
        ]
        if let metrics {
            let certificates = certificates
            let collector = MetricsCollector(
                id: self.bridge.id, version: TactileBridge.version, store: figures,
                bridge: { await bridge.figures() }, broker: { await client.statistics },
                certificates: { await certificates.days(client, on: loop) },
                proxies: { await composite?.figures() ?? [] })
            services.append(
                MetricsServer(
                    metrics, loop: loop, logger: logger.labelled("metrics"),
                    health: [
                        "/livez": { await parts.stalled().map { "\($0) makes no progress" } },
                        "/readyz": { await bridge.figures().missing },
                    ],
                    page: { await collector.text() }))
        }
        if let supervisor {
            services.append(
                Heartbeat(
                    supervisor: supervisor, parts: parts,
                    condition: { await bridge.figures().condition },
                    sleep: { try await loop.sleep(until: EventLoop.now + $0) },
                    logger: logger.labelled("heartbeat")))
        }
        // This service is added last, because the shutdown starts with the last service.
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
        // Tasks without an actor also run on the event loop, so that the work of a session does not change threads.
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
        for proxy in proxies { await proxy.close() }
        await daemon.close()
        loop.stop()
        withExtendedLifetime(hangUps) {}
        if let withdrawal { throw withdrawal }
    }
}

/// Runs the client of BlueZ while the other services run.
private struct BlueZService: Service {
    let daemon: BlueZ.Client

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await daemon.run() }
        } catch is CancellationError {
            // A clean shutdown cancels the task, which then throws this error.
        }
    }
}

/// Keeps the session with a proxy while the other services run.
private struct ProxyService: Service {
    let proxy: ProxyRadio

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await proxy.run() }
        } catch is CancellationError {
            // A clean shutdown cancels the task, which then throws this error.
        }
    }
}

extension ProxyRadio.Settings {
    fileprivate init(_ settings: ProxySettings) {
        self.init(
            name: settings.name, host: settings.host, port: settings.port, mac: settings.mac,
            key: settings.key)
        isShared = true
    }
}

extension Logger {
    /// Returns a copy of the logger that adds the name of a part of the program to its lines.
    fileprivate func labelled(_ part: String, from level: Logger.Level? = nil) -> Logger {
        var logger = self
        logger[metadataKey: "part"] = "\(part)"
        if let level { logger.logLevel = max(logger.logLevel, level) }
        return logger
    }
}
