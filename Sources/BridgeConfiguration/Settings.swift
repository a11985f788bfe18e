package import BridgeContract
package import DeviceKit
import HomeAssistant
package import HostServices
package import Logging
package import MQTT
import Messages

/// What the configuration says, checked and complete.
package struct Settings: Hashable, Sendable {
    /// A set of devices that take commands together.
    package typealias Group = BridgeSettings.Group

    package struct HomeAssistant: Hashable, Sendable {
        /// Whether devices announce themselves.
        package var isEnabled: Bool
        /// The topic under which they are looked for.
        package var prefix: String
        /// Whether robots can be driven.
        package var hasDriveEntities: Bool
        /// The haptic pattern that stands for a message.
        var messagePattern: String
    }

    /// The bridge's id, a level of its own topics.
    package var id: String
    /// Where the host stands.
    var zone: String
    /// Where the state file lies.
    package var stateDirectory: String
    /// How often figures are published.
    var statsInterval: Duration
    /// How often the bridge says that it is there; nil for never.
    var heartbeat: Duration?
    /// The broker.
    package var mqtt: MQTTSettings
    package var bluetooth: BluetoothSettings
    /// The devices that are named.
    package var devices: [BridgeSettings.Device]
    /// The groups that are named.
    package var groups: [Group]
    /// What each family's section says, by the family's name.
    package var families: [String: Arguments]
    /// Where pattern files lie.
    package var hapticsDirectory: String
    package var homeAssistant: HomeAssistant
    /// Where figures are served; nil for nowhere.
    package var metricsAddress: ListenAddress?
    /// The console.
    package var console: ConsoleSettings
    /// From which level on something is logged.
    package var logLevel: Logger.Level
    /// How log lines look.
    package var logFormat: LogFormat
    /// The kinds of lines that are logged; all if it is empty.
    package var loggedOnly: Set<LogSubsystem>
    /// From which level on the log is published; nil for not at all.
    package var brokerLogLevel: Logger.Level?
    /// Whether the level `trace` shows what people type.
    var logsTyping: Bool

    /// Where the wills of the connected devices lie.
    package func runtimeDirectory(_ host: Host) -> String { host.runtimeDirectory ?? stateDirectory }

    /// What `BridgeCore` is told.
    ///
    /// - Parameter version: The program's version.
    package func bridge(version: String, host: String) -> BridgeSettings {
        var settings = BridgeSettings(
            id: id, baseTopic: mqtt.baseTopic, join: bluetooth.join, devices: devices, groups: groups,
            families: families, reservedNames: [homeAssistant.prefix],
            statsInterval: statsInterval, version: version, host: host,
            homeAssistant: homeAssistant.announced)
        settings.isBrokerOpen = mqtt.isOpen
        settings.heartbeat = heartbeat
        settings.zone = zone
        settings.maxDevices = bluetooth.maxDevices
        settings.slots = bluetooth.slots
        settings.brokerLogLevel = brokerLogLevel
        settings.logsTyping = logsTyping
        return settings
    }
}

extension Settings.HomeAssistant {
    /// What `BridgeCore` is told; nil where nothing is announced.
    var announced: HomeAssistantSettings? {
        guard isEnabled else { return nil }
        return HomeAssistantSettings(
            prefix: prefix, hasDriveEntities: hasDriveEntities, messagePattern: messagePattern)
    }
}

/// What the configuration says of the broker.
package struct MQTTSettings: Hashable, Sendable {
    /// The versions of the protocol that can be asked for.
    package typealias Version = MQTT.Configuration.Version

    /// The brokers, at least one, each with its port, in the order in which they are asked.
    package var servers: [MQTT.Configuration.Server]
    /// The version to speak.
    package var version: Version
    /// The name by which the broker knows the bridge; what it starts with, where the configuration has none.
    package var clientID: String
    /// Whether the configuration has a client id, which is used as it is.
    package var isClientIDChosen = false
    /// What stands in front of every topic; empty, or without a slash at its end.
    package var baseTopic: String
    /// How often the connection is tried when nothing else is said.
    var keepAlive: Duration
    /// The name to log in with.
    package var username: String?
    /// The password to log in with.
    package var password: Secret?
    /// Encryption; nil for none.
    package var tls: MQTT.Configuration.TLS?
}

/// What the configuration says of Bluetooth.
package struct BluetoothSettings: Hashable, Sendable {
    /// The bus: `system`, or a D-Bus address.
    package var bus: String
    /// The adapters to use; empty for all.
    package var adapters: [String]
    /// Whom to connect.
    package var join: BridgeSettings.JoinPolicy
    /// Whether notifications and writes bypass bluetoothd.
    package var acquires: Bool
    /// How many devices may join.
    var maxDevices = 200
    /// How many links an adapter bears; nil for what it shows to bear.
    var slots: Int?

    package init(
        bus: String, adapters: [String], join: BridgeSettings.JoinPolicy, acquires: Bool,
        maxDevices: Int = 200
    ) {
        self.bus = bus
        self.adapters = adapters
        self.join = join
        self.acquires = acquires
        self.maxDevices = maxDevices
    }
}
