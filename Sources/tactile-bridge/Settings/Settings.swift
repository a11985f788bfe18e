import BridgeCore
import DeviceKit
import Logging
import MQTT

/// What the configuration says, checked and complete.
struct Settings: Hashable, Sendable {
    /// A set of devices that take commands together.
    typealias Group = BridgeSettings.Group

    /// Home Assistant.
    struct HomeAssistant: Hashable, Sendable {
        /// Whether devices announce themselves.
        var isEnabled: Bool
        /// The topic under which they are looked for.
        var prefix: String
        /// Whether robots can be driven.
        var hasDriveEntities: Bool
        /// The haptic pattern that stands for a message.
        var messagePattern: String
    }

    /// The bridge's id, a level of its own topics.
    var id: String
    /// Where the state file lies.
    var stateDirectory: String
    /// How often figures are published.
    var statsInterval: Duration
    /// The broker.
    var mqtt: MQTTSettings
    /// Bluetooth.
    var bluetooth: BluetoothSettings
    /// The devices that are named.
    var devices: [BridgeSettings.Device]
    /// The groups that are named.
    var groups: [Group]
    /// What each family's section says, by the family's name.
    var families: [String: Arguments]
    /// Where pattern files lie.
    var hapticsDirectory: String
    /// Home Assistant.
    var homeAssistant: HomeAssistant
    /// Where figures are served; nil for nowhere.
    var metricsAddress: ListenAddress?
    /// From which level on something is logged.
    var logLevel: Logger.Level
    /// How log lines look.
    var logFormat: LogFormat

    /// Where the wills of the connected devices lie.
    func runtimeDirectory(_ host: Host) -> String { host.runtimeDirectory ?? stateDirectory }

    /// What `BridgeCore` is told.
    ///
    /// - Parameter version: The program's version.
    func bridge(version: String, host: String) -> BridgeSettings {
        var settings = BridgeSettings(
            id: id, baseTopic: mqtt.baseTopic, join: bluetooth.join, devices: devices, groups: groups,
            families: families, reservedNames: [homeAssistant.prefix],
            statsInterval: statsInterval, version: version, host: host,
            homeAssistant: homeAssistant.announced)
        settings.isBrokerOpen = mqtt.isOpen
        settings.maxDevices = bluetooth.maxDevices
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
struct MQTTSettings: Hashable, Sendable {
    /// The versions of the protocol that can be asked for.
    typealias Version = MQTT.Configuration.Version

    /// A host, or the path of a Unix socket.
    var host: String
    /// The port.
    var port: Int
    /// The version to speak.
    var version: Version
    /// The name by which the broker knows the bridge.
    var clientID: String
    /// What stands in front of every topic; empty, or without a slash at its end.
    var baseTopic: String
    /// How often the connection is tried when nothing else is said.
    var keepAlive: Duration
    /// The name to log in with.
    var username: String?
    /// The password to log in with.
    var password: Secret?
    /// Encryption; nil for none.
    var tls: MQTT.Configuration.TLS?

    /// Whether the way to the broker leads over a network, without encryption and without a user's name.
    var isOpen: Bool { isReadable && username == nil && tls?.certificateFile == nil }

    /// Whether a computer between this host and the broker's can read a password.
    var showsPassword: Bool { isReadable && password != nil }

    /// Whether the way to the broker leads over a network that can be listened to.
    private var isReadable: Bool {
        let isHere = host.hasPrefix("/") || host == "localhost" || host == "::1" || host.hasPrefix("127.")
        let isTrusted = tls.map { !$0.insecure } ?? false
        return !isHere && !isTrusted
    }

    /// What is to be said where a password can be read on its way.
    static let passwordWarning =
        "mqtt.password: every computer between this host and the broker's can read it; set mqtt.tls.enabled"

    /// What `MQTT` is told.
    ///
    /// - Parameter will: What the broker publishes when the bridge is gone without a goodbye; nil for nothing.
    func configuration(will: MQTT.Configuration.Will?) -> MQTT.Configuration {
        MQTT.Configuration(
            host: host, port: UInt16(exactly: port), version: version, clientID: clientID, username: username,
            password: password, keepAlive: keepAlive, tls: tls, will: will,
            limits: .init(payload: BridgeCore.IncomingMessage.maximumPayload))
    }
}

/// What the configuration says of Bluetooth.
struct BluetoothSettings: Hashable, Sendable {
    /// The bus: `system`, or a D-Bus address.
    var bus: String
    /// The adapters to use; empty for all.
    var adapters: [String]
    /// Whom to connect.
    var join: BridgeSettings.JoinPolicy
    /// Whether notifications and writes bypass bluetoothd.
    var acquires: Bool
    /// How many devices may join.
    var maxDevices = 200
}
