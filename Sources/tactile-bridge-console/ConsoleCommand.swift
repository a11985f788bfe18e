import ArgumentParser
import BridgeConfiguration
import DeviceCatalog
import Glibc
import HostServices
import Logging
import Terminal

/// The command `tactile-bridge-console`, which `tactile-bridge console` executes.
@main
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tactile-bridge-console",
        abstract: "Serves a web page: see devices, try commands, drive and stop robots.",
        discussion: """
            The console is a client of the broker. It reads the same configuration file as the bridge; the section \
            console contains its settings. \(ExitStatus.sentence)

            Examples:
              tactile-bridge console
              tactile-bridge console --link
            """,
        version: "tactile-bridge-console \(TactileBridge.version)")

    @Option(
        help: ArgumentHelp(
            "The configuration file.",
            discussion:
                "Default: /etc/tactile-bridge/tactile-bridge.yaml if it exists, otherwise the default settings.",
            valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the page's files; by default the installed folder.", valueName: "dir"))
    var page: String?

    @Flag(help: "Prints the page's address with the login token, and exits.")
    var link = false

    @Option(
        help: ArgumentHelp(
            "The format of log lines; overrides log.format.",
            discussion: "text for a terminal, json for programs, journald for systemd.", valueName: "format"))
    var logFormat: LogFormat?

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try StandardOutput.flush()
        } catch {
            end(error)
        }
    }

    func run() async throws {
        var loader = SettingsLoader(
            file: config, families: Registry.families, deviceFiles: .standard(builtIn: Registry.families))
        if let logFormat { loader.options["log.format"] = ("--log-format", logFormat.rawValue) }
        let configuration = try loader.load()
        if link { return try printLink(configuration, loader.host) }
        let settings = configuration.settings
        let logger = LogControl(level: settings.logLevel, format: settings.logFormat).makeLogger("console")
        for warning in configuration.warnings + configuration.ignored { logger.warning("\(warning)") }
        let folder = ConsolePlace.folder(settings, loader.host)
        let token = try Token.load(folder)
        try await runConsole(
            settings, families: configuration.families, token: token, folder: folder,
            page: page ?? ConsolePlace.page, logger: logger)
    }

    private func printLink(_ configuration: BridgeConfiguration.Configuration, _ host: Host) throws {
        let console = configuration.settings.console
        guard console.login == .token else {
            throw CommandFailure(
                .usage, "--link: found console.login \(console.login.rawValue); allowed: token")
        }
        let folder = ConsolePlace.folderOfLink(configuration.settings, host)
        let token: String
        if folder == ConsolePlace.ofService {
            do { token = try Token.read("\(folder)/\(Token.fileName)") } catch {
                let advice = error.isMissing ? "sudo systemctl start tactile-bridge-console" : "sudo"
                throw CommandFailure(.unavailable, "\(error): \(advice)")
            }
        } else {
            token = try Token.load(folder)
        }
        let hosts = console.allowedHosts.map { "https://\($0)" }
        let own = console.listen.hasPrefix("/") ? [] : ["http://\(console.listen)"]
        for address in own + hosts { print("\(address)/#token=\(token)") }
        if own.isEmpty, hosts.isEmpty { print("/#token=\(token)") }
    }

    /// Prints an error to standard error, and exits with the error's status.
    private static func end(_ error: any Error) -> Never {
        switch error {
        case let error as SettingsError: complain(error.problems.map(\.description.printable), .configuration)
        case let error as CommandFailure: complain(error.description.printableLines, error.status)
        default:
            guard exitCode(for: error) != .failure else {
                complain("internal error: \(error)".printableLines, .software)
            }
            guard exitCode(for: error).isSuccess else { exit(withError: error) }
            print(fullMessage(for: error))
            do { try StandardOutput.flush() } catch { complain([error.description], error.status) }
            Glibc.exit(ExitStatus.success.rawValue)
        }
    }

    private static func complain(_ lines: [String], _ status: ExitStatus) -> Never {
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        Glibc.exit(status.rawValue)
    }
}

extension LogFormat: ExpressibleByArgument {}
