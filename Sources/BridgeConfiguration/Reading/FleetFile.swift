package import BridgeContract
package import DeviceKit
import HostServices
package import JSON
import YAML

/// A file with devices and groups for the roster, the list of devices that all bridges of a fleet share. It contains
/// the sections `devices` and `groups` of a configuration, and the preferred bridges of each device.
package struct FleetFile: Sendable {
    package struct Device: Sendable {
        package var device: BridgeSettings.Device
        /// The settings in the device's own entry, without the settings of the family's section.
        package var settings: JSON.Object
        /// The bridges that preferably connect to the device.
        package var preferred: [String]
        /// The position of the device's entry: `fleet.yaml:3:3`.
        package var place: String
    }

    package private(set) var devices: [Device] = []
    /// The groups; nil if the file has no section `groups`.
    package private(set) var groups: [BridgeSettings.Group]?

    private static let sections = ["devices", "groups"]

    /// Reads a file. The call blocks.
    ///
    /// - Parameters:
    ///   - reserved: The root topics that other programs use: the discovery prefix of Home Assistant.
    /// - Throws: ``SettingsError`` with all problems: file, line, key, the value found and the values allowed.
    package init(path: String, families: [any DeviceFamily], reserved: Set<String>) throws(SettingsError) {
        var reader = ValueReader(file: path)
        let tree = try Self.tree(path)
        var parts: [String: YAMLTree] = [:]
        for member in reader.members(tree, path: "", allowed: "a mapping with devices and groups") ?? [] {
            if Self.sections.contains(member.key) {
                parts[member.key] = member.value
            } else {
                reader.complain(unknown: member, path: member.key, known: Self.sections)
            }
        }
        var fleet = FleetReader(
            reader: reader, rules: NameRules(families: families, reserved: reserved), families: families,
            defaults: [:], isOfFleet: true)
        fleet.read(devices: parts["devices"], groups: parts["groups"])
        guard fleet.reader.problems.isEmpty else { throw SettingsError(problems: fleet.reader.problems) }
        devices = fleet.devices.map { entry in
            let names = families.named(entry.device.family)?.settings.map(\.name) ?? []
            return Device(
                device: entry.device,
                settings: JSON.Object(
                    entry.given.members.filter { names.contains($0.key) }.map { ($0.key, $0.value) }),
                preferred: entry.preferred, place: "\(entry.place.file ?? path):\(entry.place)")
        }
        if parts["groups"] != nil { groups = fleet.groups.map(\.group) }
    }

    private static func tree(_ path: String) throws(SettingsError) -> YAMLTree {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path, limit: 4 << 20) } catch {
            throw SettingsError(problems: [
                SettingsProblem(path, "", "cannot be read: \(error.reason); allowed: a file in YAML")
            ])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(problems: [SettingsProblem(path, "", "not UTF-8 text")])
        }
        do { return try YAMLTree(text) } catch {
            throw SettingsError(problems: [SettingsProblem("\(path):\(error.place)", "", error.message)])
        }
    }
}
