package import BridgeContract
package import DeviceKit
import Haptics
package import JSON
import YAML

/// The settings in force, with where each came from and what a person should know about them.
package struct Configuration: Sendable {
    /// One line of `check-config`.
    package struct Entry: Hashable, Sendable {
        /// The keys that lead to it.
        package var path: String
        /// The value as a person reads it; never a secret's.
        package var value: String
        /// Where it came from.
        package var origin: Origin
        /// The value itself; null where nothing is set, or where it is not shown.
        package var json: JSON.Value
        /// Which of its keys are not shown; an empty one stands for the value itself.
        var hidden: [String] = []
    }

    package var settings: Settings
    /// The file that was read; nil where there is none and the defaults hold.
    package var file: String?
    /// The files of `conf.d` that were read beside it, in the order of their names.
    package var parts: [String] = []
    /// All files that were read.
    package var files: [String] { (file.map { [$0] } ?? []) + parts }
    /// The values outside devices and groups, by path.
    package var values: SettingValues
    /// What holds, in the order of the configuration file.
    package var entries: [Entry]
    /// What is not wrong but probably not meant; what is ignored is not in it.
    package var warnings: [String]
    /// What is in the folders of configuration, device and pattern files and is not read, a line each.
    package var ignored: [String] = []
    /// The families of devices: those of the program, then those of device files.
    package var families: [any DeviceFamily]
    /// What became of each device file.
    package var deviceFiles: [DeviceFileReading]
    /// What it says apart from the defaults, without secrets.
    package var backup: ConfigurationBackup

    /// Which pattern files are not used, and why, a line each.
    package var patternProblems: [String] {
        let folder = settings.hapticsDirectory
        return settings.bridge.patterns.problems.map { $0.file == folder ? "\($0)" : "\(folder)/\($0)" }
    }
    /// Which device and pattern files are not used, and why, a line each.
    package var leftOut: [String] { deviceFiles.flatMap(\.problems) + patternProblems }

    /// Whether a source names the state directory, so that it is not the default one.
    package var namesStateDirectory: Bool { values.isSet("bridge.state_directory") }
}

extension Configuration.Entry {
    /// - Parameter value: Nil where nothing is set.
    init(_ setting: Setting, _ value: JSON.Value?, _ origin: Origin) {
        path = setting.path
        self.origin = origin
        if setting.secrecy != .open {
            self.value = value == nil ? "(not set)" : "(hidden)"
            json = .null
            hidden = value == nil ? [] : [""]
        } else {
            json = value ?? .null
            self.value = value.map(Self.text) ?? "(not set)"
        }
    }

    /// - Parameter secrets: The names of the family's settings whose values are not shown.
    init(device: FleetReader.Entry, secrets: Set<String>) {
        let device = (device.device, place: device.place)
        path = "devices.\(device.0.name)"
        let settings = device.0.settings.values.members.map { member in
            "\(member.key)=\(secrets.contains(member.key) ? "(hidden)" : Self.text(member.value))"
        }
        value = (["family=\(device.0.family)", "address=\(device.0.address)"] + settings)
            .joined(separator: " ")
        origin = .place(device.place)
        var object: Object = [
            "family": .string(device.0.family), "address": .string("\(device.0.address)"),
        ]
        for member in device.0.settings.values.members where !secrets.contains(member.key) {
            object[member.key] = member.value
        }
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
