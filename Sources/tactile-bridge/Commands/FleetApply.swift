import ArgumentParser
import BridgeConfiguration
import Commands
import DeviceKit
import HostServices
import Terminal

/// `tactile-bridge fleet apply`
struct FleetApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Writes the devices and groups of a file on the roster.",
        discussion: """
            The file has the sections devices and groups of a configuration, and for a device also preferred: a list of \
            the bridges that are to have it. Secrets and the settings of robots have no place there. Every bridge whose \
            bluetooth.join is permit or always then knows those devices by these names and settings; a device that a \
            bridge's own configuration lists stays what that says.

            Examples:
              tactile-bridge fleet apply fleet.yaml --dry-run
              tactile-bridge fleet apply fleet.yaml --prune
            """)

    @Argument(help: ArgumentHelp("The file, in YAML.", valueName: "file"))
    var file: String

    @Flag(
        help:
            "Removes from the roster what is not in the file: every bridge lets such a device go and forgets it."
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
        if changes.isEmpty { print("The roster says this already.") }
        if changes.kept > 0 { print("not in the file, and kept: \(changes.kept); --prune removes them") }
        if dryRun, !changes.isEmpty { print("Nothing was written: --dry-run.") }
    }
}

/// `tactile-bridge fleet check`
struct FleetCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compares a file, the roster, and what bridges say.",
        discussion: """
            Prints what does not agree, a line each, and ends with 1; with 0 if all agrees. Without a file the roster is \
            compared with the bridges only.
            """)

    @Argument(help: ArgumentHelp("The file, as apply takes it.", valueName: "file"))
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
        print("All agrees.")
    }
}
