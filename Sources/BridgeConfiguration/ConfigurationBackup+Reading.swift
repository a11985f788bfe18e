import BridgeCore
import JSON

extension ConfigurationBackup {
    /// What the file, the environment and the command line say; defaults, and what follows from the host, are not
    /// part of it.
    init(_ values: SettingValues, _ settings: [Setting], _ fleet: FleetReader) {
        self.init()
        for setting in settings where values.isSet(setting.path) {
            if case .content = values.origin(setting.path) {
                leftOut.append(setting.path)
            } else if setting.secrecy != .open {
                leftOut.append(setting.path)
            } else if let value = values[setting.path] {
                Self.set(
                    value, at: setting.path.split(separator: ".").map(String.init)[...], in: &self.settings)
            }
        }
        for device in fleet.devices {
            Self.set(.object(device.given), at: ["devices", device.device.name], in: &self.settings)
            leftOut += device.secrets.map { "devices.\(device.device.name).\($0)" }
        }
        for entry in fleet.groups {
            let members = entry.group.members.map { JSON.Value.string($0) }
            Self.set(.array(members), at: ["groups", entry.group.name], in: &self.settings)
        }
    }

    private static func set(_ value: JSON.Value, at keys: ArraySlice<String>, in object: inout JSON.Object) {
        guard let key = keys.first else { return }
        guard keys.count > 1 else { return object[key] = value }
        var inner = object[key]?.object ?? [:]
        set(value, at: keys.dropFirst(), in: &inner)
        object[key] = .object(inner)
    }
}
