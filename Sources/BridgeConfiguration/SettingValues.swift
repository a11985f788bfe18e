import DeviceKit
import JSON

/// The values of all settings by path, each with its origin.
package struct SettingValues: Sendable {
    private let settings: [Setting]
    private var values: [String: JSON.Value] = [:]
    private var origins: [String: Origin] = [:]

    /// Begins with the defaults.
    init(_ settings: [Setting]) {
        self.settings = settings
        for setting in settings {
            if case .value(let value) = setting.fallback { values[setting.path] = value }
        }
    }

    /// Sets a value; the caller goes from the weakest source to the strongest.
    mutating func set(_ path: String, _ value: JSON.Value, from origin: Origin) {
        values[path] = value
        origins[path] = origin
    }

    /// Takes a value over as it is elsewhere.
    mutating func take(_ path: String, from other: SettingValues) {
        values[path] = other.values[path]
        origins[path] = other.origins[path]
    }

    /// The value of a path; nil if it is not set and has no default.
    subscript(path: String) -> JSON.Value? { values[path] }

    /// Where a value came from.
    func origin(_ path: String) -> Origin { origins[path] ?? .byDefault }

    /// Whether it is set, other than by its default.
    func isSet(_ path: String) -> Bool {
        switch origin(path) {
        case .byDefault, .derived: false
        default: true
        }
    }

    /// A text, empty where there is none.
    func text(_ path: String) -> String { values[declared(path)]?.string ?? "" }
    /// A text, nil where there is none.
    func optionalText(_ path: String) -> String? { values[declared(path)]?.string }
    /// A whole number.
    func integer(_ path: String) -> Int { values[declared(path)]?.integer ?? 0 }
    /// A truth value.
    func flag(_ path: String) -> Bool { values[declared(path)]?.bool ?? false }
    /// A list of texts.
    func texts(_ path: String) -> [String] { values[declared(path)]?.array?.compactMap(\.string) ?? [] }

    /// What a family's section says.
    func arguments(_ family: any DeviceFamily) -> Arguments {
        var object = JSON.Object()
        for field in family.settings { object[field.name] = values["\(family.name).\(field.name)"] }
        return Arguments(object)
    }

    /// An undeclared path is a mistake of this program: reading an empty configuration finds it.
    private func declared(_ path: String) -> String {
        precondition(settings.contains { $0.path == path }, "the setting \(path) is not declared")
        return path
    }
}

// A password is among them: a description of what they are part of does not show them.
extension SettingValues: CustomStringConvertible, CustomReflectable {
    /// How many there are.
    package var description: String { "\(values.count) values" }
    /// Nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
