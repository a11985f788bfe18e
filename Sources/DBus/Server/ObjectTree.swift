/// The exported objects of a connection. A value without side effects.
struct ObjectTree {
    /// One exported object.
    struct Object {
        var interfaces: [String: ExportedInterface] = [:]
        /// The names of the interfaces in the order of their export.
        var order: [String] = []
    }

    /// Options of an object manager: which interfaces it lists for its objects.
    struct ManagerOptions {
        let listsStandardInterfaces: Bool
    }

    private(set) var objects: [ObjectPath: Object] = [:]
    private var managers: [ObjectPath: ManagerOptions] = [:]

    /// Adds interfaces to the object at `path`; if the method throws, no interface is added.
    mutating func export(_ interfaces: [Interface], at path: ObjectPath) throws(DBusError) {
        var object = objects[path] ?? Object()
        for interface in interfaces {
            try interface.validate()
            guard object.interfaces[interface.name] == nil else {
                throw .invalid("\(interface.name) is already exported at \(path)")
            }
            object.interfaces[interface.name] = ExportedInterface(interface)
            object.order.append(interface.name)
        }
        objects[path] = object
    }

    /// Removes interfaces from the object at `path`, all interfaces if `names` is nil. Returns the removed names.
    mutating func unexport(_ names: [String]?, at path: ObjectPath) -> [String] {
        guard var object = objects[path] else { return [] }
        let removed = object.order.filter { names?.contains($0) ?? true }
        object.order.removeAll { removed.contains($0) }
        for name in removed { object.interfaces[name] = nil }
        objects[path] = object.order.isEmpty ? nil : object
        return removed
    }

    mutating func addManager(at path: ObjectPath, _ options: ManagerOptions) { managers[path] = options }

    func hasManager(at path: ObjectPath) -> Bool { managers[path] != nil }

    /// Returns the nearest object manager above an object.
    func manager(above path: ObjectPath) -> (path: ObjectPath, options: ManagerOptions)? {
        var ancestor = path.parent
        while let candidate = ancestor {
            if let options = managers[candidate] { return (candidate, options) }
            ancestor = candidate.parent
        }
        return nil
    }

    /// Whether a path can be introspected: it has an object, a manager, or a descendant.
    func isKnown(_ path: ObjectPath) -> Bool {
        objects[path] != nil || managers[path] != nil || !children(of: path).isEmpty
    }

    /// Returns the names of the elements directly below a path.
    func children(of path: ObjectPath) -> [String] {
        let depth = path == .root ? 1 : path.description.utf8.count + 1
        let paths = Set(objects.keys).union(managers.keys)
        let names = paths.filter { $0 != path && $0.isInside(path) }.map { child in
            let rest = child.description.utf8.dropFirst(depth)
            return String(Substring(rest.prefix { $0 != UInt8(ascii: "/") }))
        }
        return Set(names).sorted()
    }

    /// Returns the answer of `GetManagedObjects`: `a{oa{sa{sv}}}`, parents before their children.
    func managedObjects(of manager: ObjectPath) -> Value {
        let options = managers[manager]
        let paths = objects.keys.filter { $0 != manager && $0.isInside(manager) }.sorted()
        let entries = paths.map { path in
            Value.Entry(
                .objectPath(path),
                describe(objects[path]?.order ?? [], at: path, isNew: true, options: options))
        }
        return .dictionary(
            entries, key: .objectPath, value: .dictionary(.string, .dictionary(.string, .variant)))
    }

    /// Returns interfaces with their properties: `a{sa{sv}}`.
    func describe(
        _ names: [String], at path: ObjectPath, isNew: Bool, options: ManagerOptions?
    ) -> Value {
        var entries = names.compactMap { name in
            objects[path]?.interfaces[name].map { Value.Entry(.string(name), $0.allProperties) }
        }
        if isNew, options?.listsStandardInterfaces == true {
            let standard = standardInterfaces(at: path)
            entries = standard.before.map(Self.empty) + entries + standard.behind.map(Self.empty)
        }
        return .dictionary(entries, key: .string, value: .dictionary(.string, .variant))
    }

    /// Returns the standard interfaces that an object manager of BlueZ lists before and after an object's own.
    func standardInterfaces(at path: ObjectPath) -> (before: [String], behind: [String]) {
        let hasProperties =
            objects[path]?.interfaces.values.contains { !$0.declaration.properties.isEmpty } ?? false
        return ([BusName.introspectable], hasProperties ? [BusName.properties] : [])
    }

    func interface(_ name: String, at path: ObjectPath) -> ExportedInterface? {
        objects[path]?.interfaces[name]
    }

    /// Finds a method; without an interface name, in the first interface that has it.
    func method(_ name: String, of interface: String?, at path: ObjectPath) -> (interface: String, Method)? {
        guard let object = objects[path] else { return nil }
        if let interface { return object.interfaces[interface]?.method(name).map { (interface, $0) } }
        for candidate in object.order {
            if let method = object.interfaces[candidate]?.method(name) { return (candidate, method) }
        }
        return nil
    }

    mutating func set(
        _ changes: [(name: String, value: Value?)], of interface: String, at path: ObjectPath
    ) throws(DBusError) -> [Value]? {
        guard objects[path]?.interfaces[interface] != nil else {
            throw DBusError(
                name: DBusError.Name.unknownInterface, message: "\(interface) is not exported at \(path)")
        }
        // The interface is modified in place, to avoid a copy of its values for every change.
        return try objects[path]?.interfaces[interface]?.set(changes)
    }

    private static func empty(_ name: String) -> Value.Entry {
        Value.Entry(.string(name), .properties([:]))
    }
}
