import DeviceKit
import JSON

/// The values of all settings by path, each with its origin.
package struct SettingValues: Sendable {
    private let settings: [Setting]
    private var values: [String: JSON.Value] = [:]
    private var origins: [String: Origin] = [:]

    /// Creates the values with the defaults of the settings.
    init(_ settings: [Setting]) {
        self.settings = settings
        for setting in settings {
            if case .value(let value) = setting.fallback { values[setting.path] = value }
        }
    }

    /// Sets a value. Sources must call this in ascending order of precedence, because the last call wins.
    mutating func set(_ path: String, _ value: JSON.Value, from origin: Origin) {
        values[path] = value
        origins[path] = origin
    }

    /// Copies the value and the origin of one setting from other values.
    mutating func take(_ path: String, from other: SettingValues) {
        values[path] = other.values[path]
        origins[path] = other.origins[path]
    }

    /// The value of a setting; nil if the setting is not set and has no default.
    subscript(path: String) -> JSON.Value? { values[path] }

    func origin(_ path: String) -> Origin { origins[path] ?? .byDefault }

    /// Whether a file, the environment or an option sets the value, so that it is neither a default nor derived.
    func isSet(_ path: String) -> Bool {
        switch origin(path) {
        case .byDefault, .derived: false
        default: true
        }
    }

    /// Returns a text; empty if the setting is not set.
    func text(_ path: String) -> String { values[declared(path)]?.string ?? "" }
    /// Returns a text; nil if the setting is not set.
    func optionalText(_ path: String) -> String? { values[declared(path)]?.string }
    func integer(_ path: String) -> Int { values[declared(path)]?.integer ?? 0 }
    func flag(_ path: String) -> Bool { values[declared(path)]?.bool ?? false }
    func texts(_ path: String) -> [String] { values[declared(path)]?.array?.compactMap(\.string) ?? [] }

    /// Returns the values of a family's section.
    func arguments(_ family: any DeviceFamily) -> Arguments {
        var object = JSON.Object()
        for field in family.settings { object[field.name] = values["\(family.name).\(field.name)"] }
        return Arguments(object)
    }

    /// Stops the program if the path is not declared. Reading an empty configuration, as tests do, detects such a
    /// programming error.
    private func declared(_ path: String) -> String {
        precondition(settings.contains { $0.path == path }, "the setting \(path) is not declared")
        return path
    }
}

// The values include a password, so a description must not show them.
extension SettingValues: CustomStringConvertible, CustomReflectable {
    /// Only the number of values, because the values include a password.
    package var description: String { "\(values.count) values" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
