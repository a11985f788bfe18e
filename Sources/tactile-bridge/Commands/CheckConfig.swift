import ArgumentParser
import BridgeConfiguration
import DeviceCatalog
import HostServices
import Terminal

/// The command `tactile-bridge check-config`.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Shows the effective settings and where each comes from.",
        discussion: """
            If the configuration is invalid, exits with status 78 and prints each error on standard error: file, line, \
            key, the value found and the allowed values. Secrets are not shown.

            Examples:
              tactile-bridge check-config --config ./tactile-bridge.yaml
              tactile-bridge check-config --template > tactile-bridge.yaml
              tactile-bridge check-config --json |
                jq -r '.problems[] | "\\(.place): \\(.message)"'
            """)

    @OptionGroup var source: ConfigurationOption

    @Flag(help: "Prints a configuration file with every setting, its default and a comment; reads none.")
    var template = false

    @Flag(
        help: """
            One JSON object: valid and problems (place, path, message); if it is valid, also file, settings (path, \
            value, origin), hidden, warnings, ignored, left_out.
            """)
    var json = false

    func validate() throws {
        if json, template { throw ValidationError("--json and --template exclude each other.") }
    }

    func run() throws {
        guard !template else {
            return print(ConfigurationTemplate(families: Registry.families).text, terminator: "")
        }
        guard !json else { return try printJSON() }
        let configuration = try source.loader.load()
        for line in configuration.report { print(line) }
        RootCommand.complain(configuration.leftOut.map { "ignored: \($0)".printable })
    }

    private func printJSON() throws {
        do throws(SettingsError) {
            print(try source.loader.load().jsonLine)
        } catch {
            print(error.jsonLine)
            throw ExitCode(ExitStatus.configuration.rawValue)
        }
    }
}
