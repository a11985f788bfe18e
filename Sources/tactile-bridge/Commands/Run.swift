import ArgumentParser
import BridgeConfiguration
import BridgeContract
import BridgeProcess
import HostServices
import Logging

/// `tactile-bridge run`
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the bridge until it is told to stop.",
        discussion: """
            It waits for the broker and for Bluetooth as long as it takes, and ends in good order on Ctrl-C or \
            TERM: vibrations and robots are stopped, and the devices are said to be offline. On HUP it reads its \
            configuration anew and applies what changed.

            Examples:
              tactile-bridge run
              tactile-bridge run --config ./tactile-bridge.yaml --log-level debug
              tactile-bridge run --record ./session.jsonl
              TACTILE_BRIDGE_MQTT_HOST=broker.local tactile-bridge run
            """)

    @OptionGroup var source: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "From which level on something is logged; stronger than log.level.",
            discussion: "One of \(Logger.Level.allCases.map(\.rawValue).joined(separator: " ")).",
            valueName: "level"),
        transform: Run.level)
    var logLevel: Logger.Level?

    @Option(
        help: ArgumentHelp(
            "How log lines look; stronger than log.format.",
            discussion: "text is for people, json for machines, journald for systemd.", valueName: "format"))
    var logFormat: LogFormat?

    @Option(
        help: ArgumentHelp(
            "Records what comes and goes between the bridge and its devices, until the bridge ends.",
            discussion:
                "Of 64 MB at most; a file that is there is replaced. tactile-simulator --replay plays it.",
            valueName: "file"))
    var record: String?

    @Flag(help: "Records what a person types too, and the addresses of devices.")
    var `private` = false

    func validate() throws {
        if `private`, record == nil {
            throw ValidationError("--private says what --record writes: name a file with --record FILE")
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
            "starting",
            metadata: [
                "version": "\(TactileBridge.version)", "bridge": "\(settings.bridge.id)",
                "configuration": "\(files.isEmpty ? "defaults" : files)",
            ])
        for warning in configuration.warnings + configuration.ignored { logger.warning("\(warning)") }
        for problem in configuration.deviceFiles.flatMap(\.problems) {
            logger.error("a device file is left out", metadata: ["reason": "\(problem)"])
        }
        do {
            try await runBridge(
                configuration, loader: loader, logger: logger, log: log,
                recording: record.map { ($0, `private`) })
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            logger.critical("ended by an error", metadata: ["reason": "\(error)"])
            throw CommandFailure(.software, "the bridge ended by an error: \(error)")
        }
        logger.notice("ended")
    }
}

extension LogFormat: ExpressibleByArgument {}
