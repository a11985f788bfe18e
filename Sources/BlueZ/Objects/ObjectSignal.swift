package import DBus

/// A signal of BlueZ that adds, removes or changes an object.
package enum ObjectSignal: Hashable, Sendable {
    case added(ObjectPath, [String: [String: Value]])
    case removed(ObjectPath, [String])
    case changed(ObjectPath, interface: String, [String: Value], invalidated: [String])

    /// Reads the interfaces in `InterfacesAdded`, and in each entry of `GetManagedObjects`.
    package static func interfaces(_ value: Value) -> [String: [String: Value]] {
        var interfaces: [String: [String: Value]] = [:]
        for entry in value.entries ?? [] {
            guard let name = entry.key.string else { continue }
            interfaces[name] = entry.value.properties ?? [:]
        }
        return interfaces
    }
}

extension ObjectTree {
    /// Applies a signal; returns the changes.
    package mutating func apply(_ signal: ObjectSignal) -> [Change] {
        switch signal {
        case .added(let path, let interfaces): add(path, interfaces)
        case .removed(let path, let interfaces): remove(path, interfaces)
        case .changed(let path, let interface, let properties, let invalidated):
            update(path, interface, properties, invalidated: invalidated).map { [$0] } ?? []
        }
    }

    /// Creates a tree from the answer of `GetManagedObjects`.
    package init(managedObjects: Value) {
        self.init()
        for entry in managedObjects.entries ?? [] {
            guard let path = entry.key.objectPath else { continue }
            _ = add(path, ObjectSignal.interfaces(entry.value))
        }
    }
}
