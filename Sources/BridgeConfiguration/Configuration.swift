package import BridgeContract
package import DeviceKit
import Haptics
import HomeAssistant
package import JSON
import YAML

/// The current settings, with their origins and with warnings.
package struct Configuration: Sendable {
    /// A line in the output of the command `check-config`.
    package struct Entry: Hashable, Sendable {
        /// The keys that lead to the setting, joined with dots.
        package var path: String
        /// The value as text for users. Secrets are hidden.
        package var value: String
        package var origin: Origin
        /// The value for programs; null if the setting is not set, or its value is not shown.
        package var json: JSON.Value
        /// The keys of ``json`` that are hidden. An empty string means that the whole value is hidden.
        var hidden: [String] = []
    }

    package var settings: Settings
    /// The configuration file; nil if there is no file, so that the defaults apply.
    package var file: String?
    /// The files of `conf.d` that were also read, in the order of their names.
    package var parts: [String] = []
    /// All files that were read.
    package var files: [String] { (file.map { [$0] } ?? []) + parts }
    /// The values of all settings outside `devices` and `groups`, by path.
    package var values: SettingValues
    /// The lines in the output of `check-config`, in the order of the configuration file.
    package var entries: [Entry]
    /// The warnings about values that are valid but probably a mistake. ``ignored`` lists further warnings.
    package var warnings: [String]
    /// Entries in the folders of configuration, device, pattern and gesture files that are not read, one per line.
    package var ignored: [String] = []
    /// The families of devices: the built-in families, then those of device files.
    package var families: [any DeviceFamily]
    /// The result of reading each device file.
    package var deviceFiles: [DeviceFileReading]
    /// The mistakes of the gesture files that are not used, one per line.
    package var gestureProblems: [String]
    /// The values that the user has set, without secrets.
    package var backup: ConfigurationBackup

    /// The pattern files that are not used, with reasons, one per line.
    package var patternProblems: [String] {
        let folder = settings.hapticsDirectory
        return settings.bridge.patterns.problems.map { $0.file == folder ? "\($0)" : "\(folder)/\($0)" }
    }
    /// The device, pattern and gesture files that are not used, with reasons, one per line.
    package var leftOut: [String] {
        deviceFiles.flatMap(\.problems) + patternProblems + gestureProblems
    }

    /// Whether a configuration source sets the state directory explicitly, so that it is not the default.
    package var namesStateDirectory: Bool { values.isSet("bridge.state_directory") }
}

extension Configuration.Entry {
    /// - Parameter value: The value; nil if the setting is not set.
    init(_ setting: Setting, _ value: JSON.Value?, _ origin: Origin) {
        path = setting.path
        self.origin = origin
        if setting.secrecy != .open {
            self.value = value == nil ? "(not set)" : "(hidden)"
            json = .null
            hidden = value == nil ? [] : [""]
        } else {
            let shown = value.map { setting.withoutSecrets($0) }
            (json, hidden) = (shown?.value ?? .null, shown?.hidden ?? [])
            self.value = shown.map { Self.text($0.value) } ?? "(not set)"
        }
    }

    /// - Parameter secrets: The names of the family's settings whose values are hidden.
    init(device: FleetReader.Entry, secrets: Set<String>) {
        let device = (device.device, place: device.place)
        path = "devices.\(device.0.name)"
        let looks = device.0.appearance.members
        let settings = device.0.settings.values.members.map { member in
            "\(member.key)=\(secrets.contains(member.key) ? "(hidden)" : Self.text(member.value))"
        }
        value =
            (["family=\(device.0.family)", "address=\(device.0.address)"] + settings
            + looks.map { "\($0.key)=\(Self.text($0.value))" })
            .joined(separator: " ")
        origin = .place(device.place)
        var object: Object = [
            "family": .string(device.0.family), "address": .string("\(device.0.address)"),
        ]
        for member in device.0.settings.values.members where !secrets.contains(member.key) {
            object[member.key] = member.value
        }
        for look in looks { object[look.key] = look.value }
        json = .object(object)
        hidden = device.0.settings.values.members.map(\.key).filter(secrets.contains)
    }

    init(group: BridgeSettings.Group, place: YAMLTree.Place) {
        path = "groups.\(group.name)"
        value = group.members.joined(separator: " ")
        origin = .place(place)
        json = .array(group.members.map { .string($0) })
    }

    private static func text(_ value: JSON.Value) -> String {
        switch value {
        case .string(let text): text.isEmpty ? "\"\"" : text
        default: value.description
        }
    }
}
