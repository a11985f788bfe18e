import ArgumentParser
import BridgeConfiguration
import Commands
import DeviceCatalog
import DeviceKit

/// The option that every command takes which reads the configuration.
struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file.",
            discussion:
                """
                Without it: /etc/tactile-bridge/tactile-bridge.yaml if there is one, else the defaults. Files \
                conf.d/*.yaml and conf.d/*.yml beside it join it.
                """,
            valueName: "file"))
    var config: String?

    /// What reads the settings from all their sources.
    var loader: SettingsLoader {
        SettingsLoader(
            file: config, families: Registry.families, deviceFiles: .standard(builtIn: Registry.families))
    }

    /// A text with the option in the commands that it names: they are to read the same file.
    func keeping(_ text: String) -> String { text.keeping(configuration: config) }

    /// The families of devices: where the configuration is not valid, those of the program alone.
    var families: [any DeviceFamily] { (try? loader.load().families) ?? Registry.families }
}
