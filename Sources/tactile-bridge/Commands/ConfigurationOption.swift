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
                Default: /etc/tactile-bridge/tactile-bridge.yaml if it exists, otherwise the default settings. Files \
                conf.d/*.yaml and conf.d/*.yml next to it are merged into it.
                """,
            valueName: "file"))
    var config: String?

    /// The loader that reads the configuration file which the option names.
    var loader: SettingsLoader {
        SettingsLoader(
            file: config, families: Registry.families, deviceFiles: .standard(builtIn: Registry.families))
    }

    /// Adds the option `--config` to the commands in a text, so that they read the same configuration file.
    func keeping(_ text: String) -> String { text.keeping(configuration: config) }

    /// The families of devices; only the built-in families if the configuration is invalid.
    var families: [any DeviceFamily] { (try? loader.load().families) ?? Registry.families }
}
