package import Bluetooth
package import BridgeContract
package import DeviceKit
import HomeAssistant
package import HostServices
package import Logging
package import MQTT

/// The checked and complete settings. The initial values of the properties are the defaults of the declared settings
/// (``Setting``).
package struct Settings: Hashable, Sendable {
    /// The settings of the bridge's core.
    package var bridge = BridgeSettings()
    /// The folder of the state file.
    package var stateDirectory = ""
    package var mqtt = MQTTSettings()
    package var bluetooth = BluetoothSettings()
    /// The folder of pattern files.
    package var hapticsDirectory = "/etc/tactile-bridge/patterns"
    var announces = true
    var homeAssistant = HomeAssistantSettings()
    /// The address on which metrics are served; nil if they are not served.
    package var metricsAddress: ListenAddress?
    package var console = ConsoleSettings()
    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info
    /// The format of log lines: for users, for programs (JSON) or for systemd's journal.
    package var logFormat = LogFormat.text
    /// The subsystems that are logged; empty for all.
    package var loggedOnly: Set<LogSubsystem> = []

    /// Returns the folder for the wills of connected devices (``Will``).
    package func runtimeDirectory(_ host: Host) -> String { host.runtimeDirectory ?? stateDirectory }
}

package struct MQTTSettings: Hashable, Sendable {
    /// The selectable versions of the protocol.
    package typealias Version = MQTT.Configuration.Version

    /// The brokers, at least one, each with its port, in the order of connection attempts.
    package var servers: [MQTT.Configuration.Server] = [.init(host: "localhost", port: 1883)]
    package var version = Version.auto
    /// The client id on the broker. If the configuration sets none, only its prefix.
    package var clientID = ""
    /// Whether the configuration has a client id, which is used unchanged.
    package var isClientIDChosen = false
    /// The prefix of every topic; empty, or without a slash at its end.
    package var baseTopic = ""
    /// How long the connection to the broker may be idle before the client checks it (MQTT Keep Alive).
    var keepAlive: Duration = .seconds(15)
    package var username: String?
    package var password: Secret?
    /// The file that contains the password; nil if the password comes from the environment.
    package var passwordFile: String?
    /// The settings of TLS; nil for a connection without encryption.
    package var tls: MQTT.Configuration.TLS?
}

package struct BluetoothSettings: Hashable, Sendable {
    /// The bus: `system`, or a D-Bus address.
    package var bus = "system"
    /// The adapters to use; empty for all.
    package var adapters: [String] = []
    /// The Bluetooth proxies on the network.
    package var proxies: [ProxySettings] = []
    /// The condition under which notifications arrive through sockets instead of over D-Bus.
    package var acquisition = Acquisition.automatic

    package init() {}
}
