/// An interface of an exported object with the current values of its properties.
struct ExportedInterface {
    let declaration: Interface
    private let methods: [String: Method]
    private let properties: [String: Property]
    private var values: [String: Value] = [:]

    init(_ declaration: Interface) {
        self.declaration = declaration
        methods = Dictionary(declaration.methods.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        properties = Dictionary(declaration.properties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for property in declaration.properties { values[property.name] = property.value }
    }

    func method(_ name: String) -> Method? { methods[name] }

    func property(_ name: String) -> Property? { properties[name] }

    func value(_ name: String) -> Value? { values[name] }

    /// The readable properties with a value, as `a{sv}` in the order of their declaration.
    var allProperties: Value {
        let entries = declaration.properties.filter(\.isReadable).compactMap { property in
            values[property.name].map { Value.Entry(.string(property.name), .variant($0)) }
        }
        return .dictionary(entries, key: .string, value: .variant)
    }

    /// Stores values, where nil makes a property absent. Returns the arguments of `PropertiesChanged` that follow the
    /// interface name; nil if there is nothing to signal.
    mutating func set(_ changes: [(name: String, value: Value?)]) throws(DBusError) -> [Value]? {
        for change in changes {
            guard let property = properties[change.name] else {
                throw DBusError(
                    name: DBusError.Name.unknownProperty,
                    message: "\(declaration.name) has no property \(change.name)")
            }
            try change.value?.validate(as: property.type)
        }
        var changed: [Value.Entry] = []
        var invalidated: [Value] = []
        for (name, value) in changes {
            let wasPresent = values[name] != nil
            values[name] = value
            guard let property = properties[name], property.isReadable else { continue }
            switch (property.emits, value) {
            case (.value, .some(let value)): changed.append(Value.Entry(.string(name), .variant(value)))
            case (.value, nil) where wasPresent, (.invalidation, _): invalidated.append(.string(name))
            default: break
            }
        }
        guard !changed.isEmpty || !invalidated.isEmpty else { return nil }
        return [.dictionary(changed, key: .string, value: .variant), .array(invalidated, of: .string)]
    }
}
