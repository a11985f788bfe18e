import BridgeContract
import JSON

extension ConfigurationBackup {
    /// Creates a backup with the values of the configuration file, the environment and the command line. Defaults and
    /// values that are derived from the host are not included.
    init(_ values: SettingValues, _ settings: [Setting], _ fleet: FleetReader) {
        self.init()
        for setting in settings where values.isSet(setting.path) {
            if case .content = values.origin(setting.path) {
                leftOut.append(setting.path)
            } else if setting.secrecy != .open {
                leftOut.append(setting.path)
            } else if let value = values[setting.path] {
                let shown = setting.withoutSecrets(value)
                leftOut += shown.hidden.map { "\(setting.path).\($0)" }
                Self.set(
                    shown.value, at: setting.path.split(separator: ".").map(String.init)[...],
                    in: &self.settings)
            }
        }
        // Members are appended without a search for duplicates: the names are unique, and there may be thousands.
        var (devices, groups) = (JSON.Object(), JSON.Object())
        for device in fleet.devices {
            devices.append(new: device.device.name, .object(device.given))
            leftOut += device.secrets.map { "devices.\(device.device.name).\($0)" }
        }
        for entry in fleet.groups {
            groups.append(new: entry.group.name, .array(entry.group.members.map { .string($0) }))
        }
        if !devices.isEmpty { self.settings["devices"] = .object(devices) }
        if !groups.isEmpty { self.settings["groups"] = .object(groups) }
    }

    private static func set(_ value: JSON.Value, at keys: ArraySlice<String>, in object: inout JSON.Object) {
        guard let key = keys.first else { return }
        guard keys.count > 1 else { return object[key] = value }
        var inner = object[key]?.object ?? [:]
        set(value, at: keys.dropFirst(), in: &inner)
        object[key] = .object(inner)
    }
}
