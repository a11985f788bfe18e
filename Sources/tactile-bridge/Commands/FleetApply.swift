import ArgumentParser
import BridgeConfiguration
import Commands
import DeviceKit
import HostServices
import Terminal

/// The command `tactile-bridge fleet apply`.
struct FleetApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Writes the devices and groups of a file to the roster.",
        discussion: """
            The file has the sections devices and groups of a configuration, and for a device also preferred, the list \
            of its preferred bridges. Secrets and robot settings are not allowed in it. Every bridge with \
            bluetooth.join permit or always then uses these names and settings. A device in a bridge's own \
            configuration keeps the name and settings from there.

            With --dry-run it exits with status 1 if it would change the roster, otherwise with 0.

            Examples:
              tactile-bridge fleet apply fleet.yaml --dry-run
              tactile-bridge fleet apply fleet.yaml --prune
            """)

    @Argument(help: ArgumentHelp("The file, in YAML.", valueName: "file"))
    var file: String

    @Flag(
        help:
            "Removes from the roster what is not in the file: every bridge disconnects and forgets such a device."
    )
    var prune = false

    @Flag(help: "Only prints what would change.")
    var dryRun = false

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let configuration = try source.loader.load()
        let file = try FleetAccess.file(file, configuration)
        let (prune, dryRun) = (prune, dryRun)
        let changes = try await FleetAccess.use(configuration) { client, fleet in
            let changes = FleetChanges(file, on: fleet, prunes: prune, at: .now)
            if !dryRun { try await client.publish(changes.messages) }
            return changes
        }
        for line in changes.lines { print(line.printable) }
        if changes.isEmpty { print("The roster is already up to date.") }
        if changes.kept > 0 { print("not in the file, and kept: \(changes.kept); --prune removes them") }
        guard dryRun, !changes.isEmpty else { return }
        print("Nothing was written: --dry-run.")
        throw ExitCode(ExitStatus.problem.rawValue)
    }
}

/// The command `tactile-bridge fleet check`.
struct FleetCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compares a file, the roster and the lists of the bridges.",
        discussion: """
            Prints the differences, one per line, and exits with status 1; exits with 0 if there are none. Without a \
            file, only the roster and the bridges are compared.
            """)

    @Argument(help: ArgumentHelp("The file, in the format of apply.", valueName: "file"))
    var file: String?

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let configuration = try source.loader.load()
        let file = try file.map { try FleetAccess.file($0, configuration) }
        let check = try await FleetAccess.use(configuration) { _, fleet in
            FleetCheck(fleet, against: file, at: .now)
        }
        for finding in check.findings { print(finding.printable) }
        guard check.findings.isEmpty else { throw ExitCode(ExitStatus.problem.rawValue) }
        print("No differences.")
    }
}
