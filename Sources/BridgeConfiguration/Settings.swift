package import BridgeContract
package import DeviceKit
import HomeAssistant
package import HostServices
package import Logging
package import MQTT

/// What the configuration says, checked and complete. The values of its properties are the defaults of the settings that
/// are declared with them (``Setting``).
package struct Settings: Hashable, Sendable {
    /// What the engine is told.
    package var bridge = BridgeSettings()
    /// The folder of the state file.
    package var stateDirectory = ""
    /// The broker.
    package var mqtt = MQTTSettings()
    package var bluetooth = BluetoothSettings()
    /// The folder of pattern files.
    package var hapticsDirectory = "/etc/tactile-bridge/patterns"
    /// Whether devices announce themselves to Home Assistant.
    var announces = true
    /// How they do.
    var homeAssistant = HomeAssistantSettings()
    /// Where metrics are served; nil for nowhere.
    package var metricsAddress: ListenAddress?
    /// The console.
    package var console = ConsoleSettings()
    /// From which level on something is logged.
    package var logLevel = Logger.Level.info
    /// How log lines look.
    package var logFormat = LogFormat.text
    /// The kinds of lines that are logged; all if it is empty.
    package var loggedOnly: Set<LogSubsystem> = []

    /// The folder of the wills of the connected devices.
    package func runtimeDirectory(_ host: Host) -> String { host.runtimeDirectory ?? stateDirectory }
}

/// What the configuration says of the broker.
package struct MQTTSettings: Hashable, Sendable {
    /// The versions of the protocol that can be asked for.
    package typealias Version = MQTT.Configuration.Version

    /// The brokers, at least one, each with its port, in the order in which they are asked.
    package var servers: [MQTT.Configuration.Server] = [.init(host: "localhost", port: 1883)]
    /// The version to speak.
    package var version = Version.auto
    /// The name by which the broker knows the bridge; what it starts with, where the configuration has none.
    package var clientID = ""
    /// Whether the configuration has a client id, which is used as it is.
    package var isClientIDChosen = false
    /// What stands in front of every topic; empty, or without a slash at its end.
    package var baseTopic = ""
    /// How long the connection may be silent before it is checked.
    var keepAlive: Duration = .seconds(15)
    /// The name to log in with.
    package var username: String?
    /// The password to log in with.
    package var password: Secret?
    /// Encryption; nil for none.
    package var tls: MQTT.Configuration.TLS?
}

/// What the configuration says of how BlueZ is reached.
package struct BluetoothSettings: Hashable, Sendable {
    /// The bus: `system`, or a D-Bus address.
    package var bus = "system"
    /// The adapters to use; empty for all.
    package var adapters: [String] = []
    /// Whether notifications and writes bypass bluetoothd.
    package var acquires = false

    /// Makes the settings of an empty configuration.
    package init() {}
}
