import ArgumentParser
import BridgeConfiguration
import Reference

/// The command `tactile-bridge discovery`.
struct Discovery: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown, json
    }

    static let configuration = CommandConfiguration(
        abstract: "Shows the Home Assistant entities of the device families.",
        discussion: """
            With --format json, it prints the discovery messages, one per line with its topic: those of the bridge \
            and of one example device per family, with the settings in force.

            Examples:
              tactile-bridge discovery
              tactile-bridge discovery --format json --config ./tactile-bridge.yaml
            """)

    @OptionGroup var source: ConfigurationOption

    @Option(help: "text for a terminal, markdown for documents, json for programs.")
    var format = Format.text

    func run() throws {
        switch format {
        case .text: print(DiscoveryReference(source.families).text)
        case .markdown: print(DiscoveryReference(source.families).markdown)
        case .json:
            let configuration = try source.loader.load()
            let reference = DiscoveryReference(
                configuration.families, settings: configuration.settings.bridge)
            for line in reference.lines { print(line) }
        }
    }
}
