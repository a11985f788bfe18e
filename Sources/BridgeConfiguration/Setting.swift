import DeviceKit
package import JSON

/// Declares one setting: where it stands, what may stand there, and what it is for.
///
/// Reading the file and the environment, `check-config` and the commented configuration file come from here.
package struct Setting: Sendable {
    /// Where its value may come from.
    package enum Secrecy: Hashable, Sendable {
        /// From the configuration file and the environment; shown by `check-config`.
        case open
        /// From the configuration file and the environment; never shown.
        case hidden
        /// Never from the configuration file, which is read by many; never shown.
        case secret
    }

    package enum Default: Sendable {
        /// Nothing.
        case none
        case value(JSON.Value)
        /// What the host or other settings say, in words.
        case derived(String)
    }

    /// The keys that lead to it, with dots: `mqtt.tls.ca_file`.
    package let path: String
    /// What may stand there.
    let type: FieldType
    /// What a text must look like besides its length.
    var form: TextForm?
    /// The unit of a number, in words or its sign.
    package var unit: String?
    package let fallback: Default
    /// Whether `null` is a value of its own and not just "as by default".
    package var isNullable = false
    /// Whether it is kept from other people's eyes.
    package var secrecy = Secrecy.open
    /// Whether a change is taken up only by a restart; everything else by a reload as well.
    package var needsRestart = false
    /// One sentence for a person.
    package let summary: String
    /// Takes a checked value over; nil where several values become one property.
    private(set) var store: (@Sendable (JSON.Value, inout Settings) -> Void)?

    /// Declares a setting that becomes a property.
    ///
    /// - Parameter fallback: Nil for the value that the property has by itself.
    init<Value: SettingValue>(
        _ path: String, _ type: FieldType, _ property: any WritableKeyPath<Settings, Value> & Sendable,
        default fallback: Default? = nil, form: TextForm? = nil, unit: String? = nil, _ summary: String
    ) {
        let initial = Settings()[keyPath: property].setting.map { Default.value($0) }
        self.init(path, type, default: fallback ?? initial ?? .none, form: form, unit: unit, summary)
        store = { value, settings in
            if let value = Value.read(value) { settings[keyPath: property] = value }
        }
    }

    init(
        _ path: String, _ type: FieldType, default fallback: Default = .none, form: TextForm? = nil,
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

    /// The setting that a family's section holds, as the family declares it.
    init(_ field: Field, of family: any DeviceFamily) {
        self.init(
            "\(family.name).\(field.name)", field.type,
            default: field.default.map { .value($0) } ?? .none, unit: field.unit, field.summary)
        isNullable = field.isNullable
        if field.isSecret { secrecy = .hidden }
    }

    /// The same setting, which a running bridge cannot change.
    var fixedAtStart: Setting {
        var setting = self
        setting.needsRestart = true
        return setting
    }

    /// The section in which it stands: `mqtt.tls`.
    package var section: String { path.lastIndex(of: ".").map { String(path[..<$0]) } ?? "" }
    /// The last key of its path: `ca_file`.
    var key: String { path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path }
    /// The environment variable that sets it; nil for a list or an object.
    package var variable: String? {
        switch type {
        case .list, .object, .map, .any: nil
        default: Self.variablePrefix + path.uppercased().replacing(".", with: "_")
        }
    }
    /// What is allowed, in words.
    package var allowed: String { form?.allowed ?? type.allowed }

    /// What all environment variables of the program begin with.
    static let variablePrefix = "TACTILE_BRIDGE_"
}
