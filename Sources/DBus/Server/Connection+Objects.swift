extension Connection {
    /// Exports interfaces of an object; an object manager above it signals `InterfacesAdded`.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if an interface is already exported there, a name is invalid, or a
    ///   property has a value of another type than declared.
    public func export(_ interfaces: [Interface], at path: ObjectPath) throws(DBusError) {
        let isNew = server.objects.objects[path] == nil
        try server.objects.export(interfaces, at: path)
        guard let manager = server.objects.manager(above: path) else { return }
        let names = interfaces.map(\.name)
        let description = server.objects.describe(names, at: path, isNew: isNew, options: manager.options)
        try tell("InterfacesAdded", of: manager.path, .objectPath(path), description)
    }

    /// Removes an object, or some of its interfaces; an object manager above it signals `InterfacesRemoved`.
    ///
    /// Ignores interfaces that are not exported. Objects below remain.
    public func unexport(_ interfaces: [String]? = nil, at path: ObjectPath) {
        let standard = server.objects.standardInterfaces(at: path)
        var removed = server.objects.unexport(interfaces, at: path)
        guard !removed.isEmpty, let manager = server.objects.manager(above: path) else { return }
        if server.objects.objects[path] == nil, manager.options.listsStandardInterfaces {
            removed = standard.before + removed + standard.behind
        }
        // The call fails only on a closed connection, on which no program receives signals.
        try? tell("InterfacesRemoved", of: manager.path, .objectPath(path), .strings(removed))
    }

    /// Makes an object an object manager for all objects below it.
    ///
    /// - Parameter listsStandardInterfaces: Whether it lists `Introspectable` and `Properties` among the interfaces of
    ///   its objects, like BlueZ.
    public func exportObjectManager(at path: ObjectPath, listsStandardInterfaces: Bool = false) {
        server.objects.addManager(
            at: path, ObjectTree.ManagerOptions(listsStandardInterfaces: listsStandardInterfaces))
    }

    /// The paths of the exported objects, sorted.
    public var exportedPaths: [ObjectPath] { server.objects.objects.keys.sorted() }

    /// Returns the current value of an exported property; nil if it is absent.
    public func property(_ name: String, of interface: String, at path: ObjectPath) -> Value? {
        server.objects.interface(interface, at: path)?.value(name)
    }

    /// Sets exported properties and signals them in one `PropertiesChanged`, including unchanged values. Nil makes a
    /// property absent, which is signaled as an invalidation.
    ///
    /// - Throws: `DBusError` if a property is not exported or a value has another type than declared; then no property
    ///   is set.
    public func setProperties(
        _ values: [String: Value?], of interface: String, at path: ObjectPath
    ) throws(DBusError) {
        let changes = values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        guard let arguments = try server.objects.set(changes, of: interface, at: path), isOpen else {
            return
        }
        try send(
            Message(
                signal: "PropertiesChanged", of: BusName.properties, at: path,
                [.string(interface)] + arguments))
    }

    /// Sends a signal of an exported object, as a broadcast or to one receiver.
    public func emit(
        _ member: String, of interface: String, at path: ObjectPath, _ arguments: Value...,
        to destination: String? = nil
    ) throws(DBusError) {
        try send(Message(signal: member, of: interface, at: path, to: destination, arguments))
    }

    private func tell(_ member: String, of manager: ObjectPath, _ arguments: Value...) throws(DBusError) {
        guard isOpen else { return }
        try send(Message(signal: member, of: BusName.objectManager, at: manager, arguments))
    }
}
