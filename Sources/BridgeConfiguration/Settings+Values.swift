import BridgeContract
import DeviceKit
import HomeAssistant
import HostServices
import JSON
import Logging
import MQTT

extension Settings {
    /// Takes checked values; words that are not one of an enumeration's cannot come here.
    init(_ values: SettingValues, _ fleet: FleetReader, _ families: [any DeviceFamily]) {
        id = values.text("bridge.id")
        zone = values.text("bridge.zone")
        stateDirectory = values.text("bridge.state_directory")
        statsInterval = .seconds(values.integer("bridge.stats_interval_s"))
        let heartbeat = values.integer("bridge.heartbeat_s")
        self.heartbeat = heartbeat == 0 ? nil : .seconds(heartbeat)
        mqtt = MQTTSettings(values)
        bluetooth = BluetoothSettings(
            bus: values.text("bluetooth.bus"), adapters: values.texts("bluetooth.adapters"),
            join: BridgeSettings.JoinPolicy(rawValue: values.text("bluetooth.join")) ?? .configured,
            acquires: values.flag("bluetooth.acquire"), maxDevices: values.integer("bluetooth.max_devices"))
        bluetooth.slots = values["bluetooth.slots"]?.integer
        devices = fleet.devices.map(\.device)
        groups = fleet.groups.map(\.group)
        self.families = Dictionary(uniqueKeysWithValues: families.map { ($0.name, values.arguments($0)) })
        hapticsDirectory = values.text("haptics.directory")
        homeAssistant = HomeAssistant(
            isEnabled: values.flag("home_assistant.enabled"), prefix: values.text("home_assistant.prefix"),
            hasDriveEntities: values.flag("home_assistant.drive_entities"),
            messagePattern: values.text("home_assistant.message_pattern"))
        metricsAddress = ListenAddress(values.text("metrics.listen"))
        console = ConsoleSettings(values)
        logLevel = Logger.Level(rawValue: values.text("log.level")) ?? .info
        logFormat = LogFormat(rawValue: values.text("log.format")) ?? .text
        loggedOnly = Set(values.texts("log.only").compactMap { LogSubsystem(rawValue: $0) })
        brokerLogLevel = Logger.Level(rawValue: values.text("log.mqtt"))
        logsTyping = values.flag("log.typing")
    }
}

extension MQTTSettings {
    init(_ values: SettingValues) {
        servers = Self.servers(values)
        version = Version(rawValue: values.text("mqtt.version")) ?? .auto
        clientID = values.text("mqtt.client_id")
        isClientIDChosen = values.isSet("mqtt.client_id")
        baseTopic = values.text("mqtt.base_topic")
        keepAlive = .seconds(values.integer("mqtt.keep_alive_s"))
        username = values.optionalText("mqtt.username")
        password = values.optionalText("mqtt.password").map { Secret($0) }
        guard values.flag("mqtt.tls.enabled") else { return }
        tls = MQTT.Configuration.TLS(
            caFile: values.optionalText("mqtt.tls.ca_file"),
            certificateFile: values.optionalText("mqtt.tls.certificate_file"),
            keyFile: values.optionalText("mqtt.tls.key_file"), insecure: values.flag("mqtt.tls.insecure"))
    }

    /// The brokers, each with its port.
    private static func servers(_ values: SettingValues) -> [MQTT.Configuration.Server] {
        let port = UInt16(exactly: values.integer("mqtt.port"))
        let several = (values["mqtt.hosts"]?.array ?? []).map { entry in
            MQTT.Configuration.Server(
                host: entry["host"]?.string ?? "",
                port: entry["port"]?.integer.flatMap { UInt16(exactly: $0) } ?? port,
                name: entry["server_name"]?.string)
        }
        return several.isEmpty ? [.init(host: values.text("mqtt.host"), port: port)] : several
    }
}
