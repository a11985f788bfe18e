import DeviceKit
package import JSON

/// The declaration of one setting: its path, its allowed values and its purpose.
///
/// The declaration is used to read the configuration file and the environment, for the command `check-config`, and for
/// the generated configuration file.
package struct Setting: Sendable {
    /// The allowed sources of the value, and whether it is shown.
    package enum Secrecy: Hashable, Sendable {
        /// The value can be in the configuration file and the environment. The command `check-config` shows it.
        case open
        /// The value can be in the configuration file and the environment. It is never shown.
        case hidden
        /// The value cannot be in the configuration file, because many users can read the file. It is never shown.
        case secret
    }

    package enum Default: Sendable {
        case none
        case value(JSON.Value)
        /// A value derived from the host or from other settings, described in words.
        case derived(String)
    }

    /// The keys that lead to the setting, joined with dots: `mqtt.tls.ca_file`.
    package let path: String
    let type: FieldType
    /// A further restriction of a text, in addition to its length.
    var form: SettingForm?
    /// The unit of a number, as a word or a symbol.
    package var unit: String?
    package let fallback: Default
    /// Whether `null` is a value of its own; otherwise `null` in the configuration file means the default.
    package var isNullable = false
    package var secrecy = Secrecy.open
    /// Whether a change needs a restart; otherwise a reload applies it.
    package var needsRestart = false
    /// A description in one sentence for users.
    package let summary: String
    /// Stores a checked value in its property; nil if the property depends on several settings.
    private(set) var store: (@Sendable (JSON.Value, inout Settings) -> Void)?

    /// Declares a setting with its own property.
    ///
    /// - Parameter fallback: The default; nil if the initial value of the property is the default.
    init<Value: SettingValue>(
        _ path: String, _ type: FieldType, _ property: any WritableKeyPath<Settings, Value> & Sendable,
        default fallback: Default? = nil, form: SettingForm? = nil, unit: String? = nil, _ summary: String
    ) {
        let initial = Settings()[keyPath: property].setting.map { Default.value($0) }
        self.init(path, type, default: fallback ?? initial ?? .none, form: form, unit: unit, summary)
        store = { value, settings in
            if let value = Value.read(value) { settings[keyPath: property] = value }
        }
    }

    init(
        _ path: String, _ type: FieldType, default fallback: Default = .none, form: SettingForm? = nil,
        unit: String? = nil, secrecy: Secrecy = .open, _ summary: String
    ) {
        self.path = path
        self.type = type
        self.form = form
        self.unit = unit
        self.fallback = fallback
        self.secrecy = secrecy
        self.summary = summary
    }

    /// Creates the setting of a family's section from the family's declaration.
    init(_ field: Field, of family: any DeviceFamily) {
        self.init(
            "\(family.name).\(field.name)", field.type,
            default: field.default.map { .value($0) } ?? .none, unit: field.unit, field.summary)
        isNullable = field.isNullable
        if field.isSecret { secrecy = .hidden }
    }

    /// Returns the same declaration, but with the note that a change needs a restart.
    var fixedAtStart: Setting {
        var setting = self
        setting.needsRestart = true
        return setting
    }

    /// The section of the setting: `mqtt.tls`.
    package var section: String { path.lastIndex(of: ".").map { String(path[..<$0]) } ?? "" }
    /// The last key of the path: `ca_file`.
    var key: String { path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path }
    /// The environment variable that sets the value; nil for a list or an object.
    package var variable: String? {
        switch type {
        case .list, .object, .map, .any: nil
        default: Self.variablePrefix + path.uppercased().replacing(".", with: "_")
        }
    }
    /// The keys of a list's objects whose values are never shown.
    var secretKeys: [String] {
        guard case .list(.object(let fields), _) = type else { return [] }
        return fields.filter(\.isSecret).map(\.name)
    }

    /// Returns a value without the secrets in it, and the paths of these secrets below the setting.
    func withoutSecrets(_ value: JSON.Value) -> (value: JSON.Value, hidden: [String]) {
        let keys = secretKeys
        guard !keys.isEmpty, let elements = value.array else { return (value, []) }
        var hidden: [String] = []
        let shown = elements.enumerated().map { index, element in
            var object = element.object ?? [:]
            for key in keys where object[key] != nil {
                object[key] = nil
                hidden.append("\(index).\(key)")
            }
            return JSON.Value.object(object)
        }
        return (.array(shown), hidden)
    }

    /// The allowed values, in words.
    package var allowed: String { form?.allowed ?? type.allowed }

    /// The prefix of the program's environment variables.
    static let variablePrefix = "TACTILE_BRIDGE_"
}
