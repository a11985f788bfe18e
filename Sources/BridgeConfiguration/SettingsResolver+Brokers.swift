import HostServices
import JSON
import MQTT

extension SettingsResolver {
    /// Decides between one broker (`mqtt.host`) and several brokers (`mqtt.hosts`), and rejects contradictory settings.
    mutating func compareBrokers() {
        let path = "mqtt.hosts"
        guard let entries = values[path]?.array, !entries.isEmpty else { return }
        if case .environment(let variable) = values.origin("mqtt.host") {
            warnings.append("\(path): has no effect, because \(variable) names the broker")
            return values.set(path, .array([]), from: .environment(variable))
        }
        for (index, entry) in entries.enumerated() {
            for key in ["host", "server_name"] {
                guard let text = entry[key]?.string, !SettingForm.host.accepts(text) else { continue }
                complain("\(path)[\(index)].\(key)", "found \(text); allowed: \(SettingForm.host.allowed)")
            }
            if entry["server_name"] != nil, !values.flag("mqtt.tls.enabled") {
                warnings.append(
                    "\(path)[\(index)].server_name: has no effect, because mqtt.tls.enabled is false")
            }
        }
        let servers = MQTTSettings(values).servers
        for (index, server) in servers.enumerated() {
            let twin = servers[..<index].firstIndex { $0.host == server.host && $0.port == server.port }
            guard let twin else { continue }
            complain(
                "\(path)[\(index)]",
                "found the same broker as in \(path)[\(twin)]; allowed: each host and port once")
        }
        if values.isSet("mqtt.host"), values.text("mqtt.host") != "localhost",
            !servers.contains(where: { $0.host == values.text("mqtt.host") })
        {
            warnings.append("mqtt.host: has no effect, because mqtt.hosts names the brokers")
        }
    }

    private mutating func complain(_ path: String, _ message: String) {
        complain(path, because: "mqtt.hosts", message)
    }
}
