import BridgeContract
package import DeviceKit
import JSON
import Terminal

/// Creates a configuration file that lists every setting with its default and its purpose.
package struct ConfigurationTemplate: Sendable {
    private let families: [any DeviceFamily]
    private let settings: [Setting]

    package init(families: [any DeviceFamily]) {
        self.families = families
        settings = Setting.all(families)
    }

    package var text: String {
        var lines = comment(Self.introduction)
        for name in sectionNames {
            lines.append("")
            lines += section(name)
            if name == "bluetooth" { lines += fleet }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let introduction = """
        Tactile Bridge: every setting with its default. An empty file is valid too: keep only what you change. \
        A setting without a value has its default. Settings outside devices and groups can also be \
        environment variables, TACTILE_BRIDGE_ and the path in upper case: TACTILE_BRIDGE_MQTT_PORT=1884. \
        Precedence: environment, systemd credentials, this file, defaults. The password is never in this file: \
        use TACTILE_BRIDGE_MQTT_PASSWORD, the credential mqtt-password, or mqtt.password_file. \
        "tactile-bridge check-config" prints the errors, or each value and its origin.
        """

    private var sectionNames: [String] {
        var names: [String] = []
        for path in settings.map(\.path) {
            let name = String(path.prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
        }
        let bare = families.map(\.name).filter { !names.contains($0) }
        let index = names.firstIndex(of: "bluetooth").map { $0 + 1 } ?? names.count
        names.insert(contentsOf: bare, at: index)
        return names
    }

    private func section(_ name: String) -> [String] {
        if let setting = settings.first(where: { $0.path == name }) { return entry(setting, indentation: "") }
        let own = settings.filter { $0.path.hasPrefix("\(name).") && $0.secrecy != .secret }
        var lines: [String] = []
        if let family = families.named(name) {
            lines += comment(
                "\(family.displayName): the settings of each device, unless its entry under devices has its own."
            )
        } else {
            lines += comment(Setting.sectionSummaries[name] ?? "")
        }
        guard !own.isEmpty else { return lines + ["\(name): {}"] }
        lines.append("\(name):")
        var group = name
        for setting in own {
            if setting.section != group {
                group = setting.section
                lines += comment(Setting.sectionSummaries[group] ?? "", indentation: "  ")
                lines.append("  \(group.dropFirst(name.count + 1)):")
            }
            lines += entry(setting, indentation: group == name ? "  " : "    ")
        }
        return lines
    }

    private func entry(_ setting: Setting, indentation: String) -> [String] {
        var limits = "Allowed: \(setting.allowed)\(setting.unit.map { " (\($0))" } ?? "")."
        var value = ""
        switch setting.fallback {
        case .value where setting.secrecy == .hidden: limits += " Default: not shown."
        case .none: limits += " Default: not set."
        case .derived(let source): limits += " Default: \(source)."
        case .value(let fallback): value = " \(Self.yaml(fallback))"
        }
        return comment(setting.summary, indentation: indentation)
            + comment(limits, indentation: indentation) + ["\(indentation)\(setting.key):\(value)"]
    }

    private var fleet: [String] {
        let family = families.first?.name ?? "belt"
        return [""]
            + comment(
                "Devices by name; the name is the topic. Home Assistant shows display_name, area and icon. Keys of "
                    + "the family's section are allowed here too.")
            + [
                "#   \(family):", "#     family: \(family)", "#     address: \"AA:BB:CC:DD:EE:FF\"",
                "#     display_name: Anna's belt", "#     area: Hall", "#     icon: mdi:compass",
                "devices: {}", "",
            ]
            + comment(
                "Sets of devices that receive commands together: devices named above, or the default names of devices "
                    + "that join, such as belt or belt/a1b2c3.")
            + ["#   hands: [left, right]", "groups: {}"]
    }

    /// Returns a value as YAML. JSON is valid YAML, but words that YAML reads as text need no quotes.
    private static func yaml(_ value: JSON.Value) -> String {
        guard case .string(let text) = value, !text.isEmpty, Scalar.plain(text) == value,
            text.utf8.allSatisfy({ NameRules.isNameByte($0) || "/.".utf8.contains($0) })
        else { return value.description }
        return text
    }

    private func comment(_ text: String, indentation: String = "") -> [String] {
        text.wrapped(at: 106 - indentation.count).map { "\(indentation)# \($0)" }
    }
}
