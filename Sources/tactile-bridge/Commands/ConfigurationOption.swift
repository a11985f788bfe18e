import ArgumentParser
import BridgeConfiguration
import Commands
import DeviceCatalog
import DeviceKit

/// The option of every command that reads the configuration.
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

    /// The loader for this configuration file.
    var loader: SettingsLoader {
        SettingsLoader(
            file: config, families: Registry.families, deviceFiles: .standard(builtIn: Registry.families))
    }

    /// Adds the option to the commands in a text, so that they read the same file.
    func keeping(_ text: String) -> String { text.keeping(configuration: config) }

    /// The families of devices; only the built-in families if the configuration is invalid.
    var families: [any DeviceFamily] { (try? loader.load().families) ?? Registry.families }
}
