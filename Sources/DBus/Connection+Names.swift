extension Connection {
    /// Asks for a well-known name.
    ///
    /// - Throws: `DBusError` with what the bus answers, such as `AccessDenied`.
    public func requestName(_ name: String, _ options: NameOptions = [.doNotQueue]) async throws
        -> NameRequestResult
    {
        try Syntax.requireBusName(name)
        let answer = try await callBus("RequestName", .string(name), .uint32(options.rawValue))
        guard case .uint32(let code) = answer.first, let result = NameRequestResult(rawValue: code) else {
            throw DBusError.unexpected("The bus answered the request for \(name) with something unknown")
        }
        return result
    }

    /// Gives a name back; false if it was not ours.
    public func releaseName(_ name: String) async throws -> Bool {
        try Syntax.requireBusName(name)
        return try await callBus("ReleaseName", .string(name)).first == .uint32(1)
    }

    /// Returns the unique name of the connection that owns a name; nil if nobody does.
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
    /// - Parameter name: Which name; nil for all, unique ones included.
    public func onOwnerChange(
        of name: String?, handler: @escaping @Sendable (NameOwnerChange) -> Void
    ) async throws -> Subscription {
        if let name { try Syntax.requireBusName(name) }
        return try await subscribe(.owner(of: name)) { message in
            if let change = NameOwnerChange(message) { handler(change) }
        }
    }

    func callBus(_ member: String, _ arguments: Value...) async throws -> [Value] {
        try await call(Message(call: member, of: BusName.bus, at: BusName.path, on: BusName.bus, arguments))
            .arguments
    }
}
