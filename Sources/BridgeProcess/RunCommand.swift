import BlueZ
package import BridgeConfiguration
import BridgeContract
import BridgeCore
import DBus
import EventLoop
import Glibc
import Guardian
package import HostServices
package import Logging
import MQTT
import StateFiles

/// Runs the bridge until the process is asked to stop, and returns after a clean shutdown.
///
/// - Parameters:
///   - configuration: The current configuration.
///   - loader: The loader that reads the configuration again at a reload.
///   - logger: The logger.
///   - log: The control of the log levels.
///   - recording: The file of a recording that starts with the bridge, and whether it includes private values; nil for
///     none.
/// - Throws: ``CommandFailure`` with the exit status; any other error is an internal error.
package func runBridge(
    _ configuration: BridgeConfiguration.Configuration, loader: SettingsLoader, logger: Logger,
    log: LogControl, recording: (path: String, includesPrivate: Bool)? = nil
) async throws {
    // If a file reaches the size limit of the process, the write fails, as on a full disk. Without this line, a signal
    // would end the process.
    signal(SIGXFSZ, SIG_IGN)
    let settings = configuration.settings
    let live = LiveConfiguration(configuration, loader: loader, log: log)
    let bridge = live.settings
    var bluetooth = BlueZ.Settings(
        bus: DBus.Address(settings.bluetooth.bus), adapters: Set(settings.bluetooth.adapters))
    bluetooth.acquisition = settings.bluetooth.acquisition
    var folder = settings.runtimeDirectory(loader.host)
    do { try FileAccess.makeFolder(folder) } catch {
        logger.error(
            "the wills, which make devices safe if the bridge dies, cannot be stored",
            metadata: ["reason": "\(error)"])
        folder = ""
    }
    // Each store has its own thread, so that an emergency stop is stored even while the state waits for a slow disk.
    let (stateFiles, latchFiles) = (
        try EventLoop.start(name: "state-files"), try EventLoop.start(name: "latch-files")
    )
    let recordingFiles = try EventLoop.start(name: "recordings")
    let fromStart = try recording.map { recording throws(CommandFailure) in
        RecordingFromStart(
            file: FileRecording(try openRecording(recording.path), files: recordingFiles),
            includesPrivate: recording.includesPrivate)
    }
    let supervisor = Supervisor { loader.host.environment[$0] }
    // Only systemd provides both a supervisor and a runtime directory. Only then, `ExecStopPost` of the unit runs after
    // the bridge.
    let isFollowed = supervisor != nil && loader.host.runtimeDirectory != nil
    let clientID = ClientIDFile(folder: settings.stateDirectory, logger: logger)
    defer { withExtendedLifetime(clientID) {} }
    let composition = Composition(
        bridge: bridge, families: configuration.families,
        broker: settings.mqtt.bridge(availabilityTopic: bridge.availabilityTopic, idEnd: clientID.end),
        certificates: CertificateDays(settings: settings.mqtt),
        bluetooth: bluetooth, proxies: settings.bluetooth.proxies,
        guardian: GuardianOptions(
            bus: settings.bluetooth.bus, folder: folder,
            time: isFollowed ? GuardianOptions.timeUnderSystemd : GuardianOptions.timeAlone,
            logLevel: settings.logLevel, logFormat: settings.logFormat),
        store: FileStateStore(folder: settings.stateDirectory, files: stateFiles, logger: logger),
        latches: FileLatchStore(folder: settings.stateDirectory, files: latchFiles),
        metrics: settings.metricsAddress,
        supervisor: supervisor,
        logger: logger, log: log,
        recordings: FileRecordingStore(folder: settings.stateDirectory, files: recordingFiles),
        recordingFromStart: fromStart, configuration: live)
    defer { for files in [stateFiles, latchFiles, recordingFiles] { files.stop() } }
    do { try await composition.run() } catch let withdrawal as BridgeWithdrawal {
        throw CommandFailure(.unavailable, "\(withdrawal)")
    }
}

/// Opens the recording file named by the user.
private func openRecording(_ path: String) throws(CommandFailure) -> AppendedFile {
    do throws(FileAccess.Failure) { return try AppendedFile(path) } catch {
        throw CommandFailure(.unavailable, "--record: \(error)")
    }
}
