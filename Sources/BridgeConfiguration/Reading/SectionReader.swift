import DeviceKit
import JSON
import YAML

/// Reads the sections of the configuration file as declared settings. The sections `devices` and `groups` are only
/// stored; ``FleetReader`` reads them.
struct SectionReader {
    /// The values that the file sets, by the path of the setting.
    private(set) var values: [String: (value: JSON.Value, place: YAMLTree.Place)] = [:]
    private(set) var devices: YAMLTree?
    private(set) var groups: YAMLTree?
    var reader: ValueReader

    private let settings: [Setting]
    private let byPath: [String: Setting]
    private let families: [any DeviceFamily]

    init(file: String, settings: [Setting], families: [any DeviceFamily]) {
        reader = ValueReader(file: file)
        self.settings = settings
        byPath = Dictionary(settings.map { ($0.path, $0) }) { first, _ in first }
        self.families = families
    }

    /// The maximum number of unknown keys that are listed for a section. The number is limited because each suggestion
    /// takes time.
    private static let listed = 20

    /// Reads the merged tree of all configuration files.
    mutating func read(_ tree: YAMLTree) {
        readSection(tree, prefix: "")
    }

    private mutating func readSection(_ tree: YAMLTree, prefix: String) {
        let keys = known(in: prefix)
        var unknown = 0
        let path = prefix.isEmpty ? "" : String(prefix.dropLast())
        guard
            let members = reader.members(
                tree, path: path, allowed: "a mapping with \(keys.joined(separator: " "))")
        else { return }
        for member in members {
            let path = prefix + member.key
            if let setting = byPath[path] {
                read(member, setting)
            } else if path == "devices" {
                devices = member.value
            } else if path == "groups" {
                groups = member.value
            } else if families.contains(where: { $0.name == member.key && $0.fault != nil }) {
                // If the family's device file cannot be used, the valid keys of its section are unknown, so the section
                // is not read.
                continue
            } else if keys.contains(member.key) {
                readSection(member.value, prefix: path + ".")
            } else {
                unknown += 1
                guard unknown <= Self.listed else { continue }
                let elsewhere = settings.filter { $0.key == member.key && $0.secrecy != .secret }.map(\.path)
                reader.complain(unknown: member, path: path, known: keys, elsewhere: elsewhere)
            }
        }
        guard unknown > Self.listed, let last = members.last else { return }
        reader.complain(
            at: last.place, path, "\(unknown - Self.listed) more keys are not known here")
    }

    private mutating func read(_ member: YAMLTree.Member, _ setting: Setting) {
        guard setting.secrecy != .secret else {
            return reader.complain(
                at: member.place, setting.path,
                "not accepted in this file, which other users may read; allowed: \(setting.path)_file, a systemd "
                    + "credential, or \(setting.variable ?? "the environment")")
        }
        if member.value.isNull {
            if setting.isNullable { values[setting.path] = (.null, member.place) }
            return
        }
        let value = reader.value(
            member.value, setting.type, form: setting.form, path: setting.path,
            isSecret: setting.secrecy == .hidden)
        if let value { values[setting.path] = (value, member.place) }
    }

    /// Returns the valid keys of a section, in the order of the declaration, without secrets, for error messages.
    private func known(in prefix: String) -> [String] {
        var keys: [String] = []
        for setting in settings where setting.path.hasPrefix(prefix) && setting.secrecy != .secret {
            let key = String(setting.path.dropFirst(prefix.count).prefix { $0 != "." })
            if !keys.contains(key) { keys.append(key) }
        }
        guard prefix.isEmpty else { return keys }
        // A family without settings also has a section.
        return keys + families.map(\.name).filter { !keys.contains($0) } + ["devices", "groups"]
    }
}
