import BridgeConfiguration
import DeviceKit
import JSON
import Terminal

/// The reference of all settings, generated from their declarations.
struct ConfigurationReference: Sendable {
    private let families: [any DeviceFamily]
    private let settings: [Setting]

    init(_ families: [any DeviceFamily]) {
        self.families = families
        settings = Setting.all(families)
    }

    /// The reference in Markdown: one table for each section.
    var markdown: String {
        sections.map { section in
            var table = MarkdownTable(["setting", "allowed", "default", "environment variable", "meaning"])
            for setting in settings where setting.section == section {
                table.add([
                    "`\(setting.path)`", MarkdownTable.escaped(Self.allowed(setting)), Self.fallback(setting),
                    setting.variable.map(MarkdownTable.code) ?? "", Self.meaning(setting),
                ])
            }
            let title = section.isEmpty ? "Outside the sections" : "`\(section)`"
            return (["## \(title)", "", MarkdownTable.escaped(summary(section)), ""] + table.lines)
                .joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private var sections: [String] {
        settings.map(\.section).reduce(into: []) { sections, section in
            if !sections.contains(section) { sections.append(section) }
        }
    }

    private func summary(_ section: String) -> String {
        if let family = families.first(where: { $0.name == section }) {
            return
                "\(family.displayName): the value for each device, unless its own entry under `devices` has another."
        }
        return Setting.sectionSummaries[section] ?? ""
    }

    private static func allowed(_ setting: Setting) -> String {
        setting.allowed + (setting.unit.map { " (\($0))" } ?? "") + (setting.isNullable ? ", or null" : "")
    }

    private static func fallback(_ setting: Setting) -> String {
        switch setting.fallback {
        case .value where setting.secrecy == .hidden: "not shown"
        case .none: "not set"
        case .derived(let words): MarkdownTable.escaped(words)
        case .value(let value):
            MarkdownTable.code(value.string.flatMap { $0.isEmpty ? nil : $0 } ?? value.description)
        }
    }

    private static func meaning(_ setting: Setting) -> String {
        MarkdownTable.escaped(setting.summary)
            + (setting.secrecy == .secret ? " Never in the configuration file." : "")
            + (setting.needsRestart ? " A change takes effect after a restart." : "")
    }
}
