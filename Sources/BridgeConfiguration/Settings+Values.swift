import BridgeContract
import DeviceKit
import HomeAssistant
import HostServices
import JSON
import MQTT

extension Settings {
    /// Creates settings from checked values.
    init(
        _ values: SettingValues, _ declared: [Setting], _ fleet: FleetReader, _ families: [any DeviceFamily],
        _ host: Host
    ) {
        for setting in declared {
            if let value = values[setting.path] { setting.store?(value, &self) }
        }
        mqtt = MQTTSettings(values)
        bridge.baseTopic = mqtt.baseTopic
        bridge.isBrokerOpen = mqtt.isOpen
        bridge.devices = fleet.devices.map(\.device)
        bridge.groups = fleet.groups.map(\.group)
        bridge.families = Dictionary(uniqueKeysWithValues: families.map { ($0.name, values.arguments($0)) })
        bridge.reservedNames = [homeAssistant.prefix]
        bridge.homeAssistant = announces ? homeAssistant : nil
        bridge.version = TactileBridge.version
        bridge.host = host.name
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
        if case .content(let path) = values.origin("mqtt.password") { passwordFile = path }
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
