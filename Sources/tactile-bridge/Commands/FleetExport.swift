import ArgumentParser
import BridgeConfiguration
import Commands
import Terminal

/// `tactile-bridge fleet export`
struct FleetExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints the roster as a file that apply reads.",
        discussion: """
            Example:
              tactile-bridge fleet export > fleet.yaml
            """)

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let lines = try await FleetAccess.use(source.loader.load()) { _, fleet in fleet.exported }
        for line in lines { print(line.printable) }
    }
}
