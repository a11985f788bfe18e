import ArgumentParser
import BridgeConfiguration
import BridgeContract
import BridgeProcess
import HostServices
import Logging

/// The command `tactile-bridge run`.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the bridge until it is stopped.",
        discussion: """
            It waits for the broker and for Bluetooth without a time limit. On Ctrl-C or TERM it exits cleanly: it \
            stops vibrations and robots, and publishes that the devices are offline. On HUP it reloads its \
            configuration and applies the changes.

            Examples:
              tactile-bridge run
              tactile-bridge run --config ./tactile-bridge.yaml --log-level debug
              tactile-bridge run --record ./session.jsonl
              TACTILE_BRIDGE_MQTT_HOST=broker.local tactile-bridge run
            """)

    @OptionGroup var source: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "The minimum level of log lines; overrides log.level.",
            discussion: "One of \(Logger.Level.allCases.map(\.rawValue).joined(separator: " ")).",
            valueName: "level"),
        transform: Run.level)
    var logLevel: Logger.Level?

    @Option(
        help: ArgumentHelp(
            "The format of log lines; overrides log.format.",
            discussion: "text for a terminal, json for programs, journald for systemd.", valueName: "format"))
    var logFormat: LogFormat?

    @Option(
        help: ArgumentHelp(
            "Records the traffic between the bridge and its devices until the bridge exits.",
            discussion:
                "At most 64 MB; an existing file is replaced. tactile-simulator --replay plays it.",
            valueName: "file"))
    var record: String?

    @Flag(help: "Also records typed text and the addresses of devices.")
    var `private` = false

    func validate() throws {
        if `private`, record == nil {
            throw ValidationError("--private requires --record FILE")
        }
    }

    private static func level(_ word: String) throws -> Logger.Level {
        if let level = Logger.Level(rawValue: word) { return level }
        throw ValidationError(
            "found \(word); allowed: \(Logger.Level.allCases.map(\.rawValue).joined(separator: " "))")
    }

    func run() async throws {
        var loader = source.loader
        if let logLevel { loader.options["log.level"] = ("--log-level", logLevel.rawValue) }
        if let logFormat { loader.options["log.format"] = ("--log-format", logFormat.rawValue) }
        let configuration = try loader.load()
        let settings = configuration.settings
        let log = LogControl(
            level: settings.logLevel, format: settings.logFormat, only: settings.loggedOnly)
        let logger = log.makeLogger()
        let files = configuration.files.joined(separator: " ")
        logger.notice(
            "the bridge is starting",
            metadata: [
                "version": "\(TactileBridge.version)", "bridge": "\(settings.bridge.id)",
                "configuration": "\(files.isEmpty ? "defaults" : files)",
            ])
        for warning in configuration.warnings + configuration.ignored { logger.warning("\(warning)") }
        for problem in configuration.deviceFiles.flatMap(\.problems) {
            logger.error("a device file is ignored", metadata: ["reason": "\(problem)"])
        }
        do {
            try await runBridge(
                configuration, loader: loader, logger: logger, log: log,
                recording: record.map { ($0, `private`) })
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            logger.critical("the bridge exits after an error", metadata: ["reason": "\(error)"])
            throw CommandFailure(.software, "the bridge exited after an error: \(error)")
        }
        logger.notice("the bridge has stopped")
    }
}

extension LogFormat: ExpressibleByArgument {}
