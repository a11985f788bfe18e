extension Connection {
    /// Requests a well-known name.
    ///
    /// - Throws: `DBusError` with the error of the bus, such as `AccessDenied`.
    public func requestName(_ name: String, _ options: NameOptions = [.doNotQueue]) async throws
        -> NameRequestResult
    {
        try Syntax.requireBusName(name)
        let answer = try await callBus("RequestName", .string(name), .uint32(options.rawValue))
        guard case .uint32(let code) = answer.first, let result = NameRequestResult(rawValue: code) else {
            throw DBusError.unexpected("The bus answered the request for \(name) with an unknown result")
        }
        return result
    }

    /// Releases a name; returns false if this connection did not own the name.
    public func releaseName(_ name: String) async throws -> Bool {
        try Syntax.requireBusName(name)
        return try await callBus("ReleaseName", .string(name)).first == .uint32(1)
    }

    /// Returns the unique name of the connection that owns a name; nil if it has no owner.
    public func owner(of name: String) async throws -> String? {
        try Syntax.requireBusName(name)
        do {
            return try await callBus("GetNameOwner", .string(name)).first?.string
        } catch let error as DBusError where error.name == DBusError.Name.nameHasNoOwner {
            return nil
        }
    }

    /// Calls a handler on the loop's thread whenever a name gets, changes or loses its owner.
    ///
    /// - Parameter name: The name; nil for all names, including unique ones.
    public func onOwnerChange(
        of name: String?, handler: @escaping @Sendable (NameOwnerChange) -> Void
    ) async throws -> Subscription {
        if let name { try Syntax.requireBusName(name) }
        return try await subscribe(.owner(of: name)) { message in
            if let change = NameOwnerChange(message) { handler(change) }
        }
    }

    /// Calls a handler inside an actor on the same loop whenever a name in a namespace gets, changes or loses its
    /// owner: `org.bluez` includes `org.bluez.obex`. The actor is not retained.
    public func onOwnerChange<Owner: Actor>(
        inNamespace namespace: String, for owner: Owner,
        handler: @escaping @Sendable (isolated Owner, NameOwnerChange) -> Void
    ) async throws -> Subscription {
        var rule = MatchRule.owner(of: nil)
        rule.firstArgumentNamespace = namespace
        return try await subscribe(rule, for: owner) { owner, message in
            if let change = NameOwnerChange(message) { handler(owner, change) }
        }
    }

    /// Returns all names that have an owner, including unique ones.
    public func names() async throws -> [String] {
        try await callBus("ListNames").first?.strings ?? []
    }

    /// Returns the process ID and the user ID of the connection that owns a name, if the bus knows them. For a process
    /// in another namespace, this is the ID in the namespace of the bus.
    public func credentials(of name: String) async throws -> (process: Int?, user: Int?) {
        try Syntax.requireBusName(name)
        let found = try await callBus("GetConnectionCredentials", .string(name)).first?.properties ?? [:]
        return (found["ProcessID"]?.integer, found["UnixUserID"]?.integer)
    }

    /// Checks that the bus answers a call.
    ///
    /// - Throws: `DBusError` if it does not answer in time.
    public func checkBus(timeout: Duration) async throws {
        _ = try await call("GetId", of: BusName.bus, at: BusName.path, on: BusName.bus, timeout: timeout)
    }

    func callBus(_ member: String, _ arguments: Value...) async throws -> [Value] {
        try await call(Message(call: member, of: BusName.bus, at: BusName.path, on: BusName.bus, arguments))
            .arguments
    }
}
