extension Connection {
    /// Answers a call of `Properties`, `Introspectable` or `ObjectManager`; returns false if none of these interfaces
    /// has the method.
    ///
    /// The error messages are the same as BlueZ's. libdbus itself answers `Peer`.
    func receiveStandardCall(
        _ message: IncomingMessage, interface: String, member: String, path: ObjectPath
    ) -> Bool {
        let signature = message.signature
        switch (interface, member, signature) {
        case (BusName.introspectable, "Introspect", ""):
            guard server.objects.isKnown(path) else { return false }
            give(
                origin(of: message, returns: "s"), .success([.string(server.objects.introspection(of: path))])
            )
        case (BusName.objectManager, "GetManagedObjects", ""):
            guard server.objects.hasManager(at: path) else { return false }
            give(
                origin(of: message, returns: "a{oa{sa{sv}}}"),
                .success([server.objects.managedObjects(of: path)]))
        case (BusName.properties, "Get", "ss"):
            guard server.objects.objects[path] != nil else { return false }
            give(origin(of: message, returns: "v"), Result { [.variant(try get(message, path))] })
        case (BusName.properties, "GetAll", "s"):
            guard server.objects.objects[path] != nil else { return false }
            give(origin(of: message, returns: "a{sv}"), Result { [try getAll(message, path)] })
        case (BusName.properties, "Set", "ssv"):
            guard server.objects.objects[path] != nil else { return false }
            set(message, path)
        default:
            return false
        }
        return true
    }

    private func get(_ message: IncomingMessage, _ path: ObjectPath) throws(DBusError) -> Value {
        var reader = message.reader()
        let (interface, property) = try find(&reader, path)
        guard property.isReadable, let value = interface.value(property.name) else {
            throw Self.refusal("No such property '\(property.name)'")
        }
        return value
    }

    private func getAll(_ message: IncomingMessage, _ path: ObjectPath) throws(DBusError) -> Value {
        var reader = message.reader()
        return try interface(try reader.string(), path).allProperties
    }

    private func set(_ message: IncomingMessage, _ path: ObjectPath) {
        let origin = origin(of: message)
        do {
            var reader = message.reader()
            let (interface, property) = try find(&reader, path)
            let value = try reader.value().unwrapped
            guard property.isWritable else {
                throw DBusError(
                    name: DBusError.Name.propertyReadOnly,
                    message: "Property '\(property.name)' is not writable")
            }
            guard value.type == property.type else {
                throw Self.refusal("Invalid signature for '\(property.name)'")
            }
            let name = interface.declaration.name
            guard let setter = property.setter else {
                try setProperties([property.name: value], of: name, at: path)
                return give(origin, .success([]))
            }
            let call = MethodCall(
                sender: message.sender ?? "", path: path, interface: BusName.properties, member: "Set",
                arguments: [.string(name), .string(property.name), .variant(value)],
                wantsReply: message.wantsReply)
            runTask(origin) {
                try await setter(call, value)
                return []
            }
        } catch {
            give(origin, .failure(error))
        }
    }

    private func find(
        _ reader: inout Reader, _ path: ObjectPath
    ) throws(DBusError) -> (ExportedInterface, Property) {
        let interface = try interface(try reader.string(), path)
        let name = try reader.string()
        guard let property = interface.property(name) else {
            throw Self.refusal("No such property '\(name)'")
        }
        return (interface, property)
    }

    private func interface(_ name: String, _ path: ObjectPath) throws(DBusError) -> ExportedInterface {
        guard let interface = server.objects.interface(name, at: path) else {
            throw Self.refusal("No such interface '\(name)'")
        }
        return interface
    }

    private static func refusal(_ text: String) -> DBusError {
        DBusError(name: DBusError.Name.invalidArguments, message: text)
    }
}
