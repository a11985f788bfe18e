import Logging

extension Connection {
    /// Calls a handler on the loop's thread for every matching signal; use this variant for high signal rates.
    ///
    /// After this method has returned, no signal is missed. The handler may be called before this method returns.
    ///
    /// - Returns: A subscription that keeps the handler registered.
    /// - Throws: `DBusError` with `.invalidValue`, `.closed`, or the error of the bus; `CancellationError`.
    public func subscribe(
        _ rule: MatchRule, handler: @escaping @Sendable (IncomingMessage) -> Void
    ) async throws -> Subscription {
        try await subscribe(rule, receiver: .handler(handler))
    }

    /// Calls a handler inside an actor on the same loop for every matching signal.
    ///
    /// The actor is not retained; otherwise like `subscribe(_:handler:)`.
    public func subscribe<Owner: Actor>(
        _ rule: MatchRule, for owner: Owner,
        handler: @escaping @Sendable (isolated Owner, IncomingMessage) -> Void
    ) async throws -> Subscription {
        let entry = OwnerEntry(owner)
        return try await subscribe(rule) { message in entry.enter(message, handler) }
    }

    /// Returns the matching signals as a sequence that buffers the newest `limit` signals.
    ///
    /// - Throws: The errors of `subscribe`.
    public func signals(_ rule: MatchRule, limit: Int = 1024) async throws -> Signals {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Message.self, bufferingPolicy: .bufferingNewest(limit))
        let subscription = try await subscribe(rule, receiver: .stream(continuation))
        continuation.onTermination = { _ in subscription.cancel() }
        return Signals(stream: stream, subscription: subscription)
    }

    func receiveSignal(_ message: IncomingMessage) {
        let signal = SignalName(message)
        if signal.is("Disconnected", of: BusName.local) { return end(.lost) }
        if signal.is("NameOwnerChanged", of: BusName.bus) { noteOwner(message) }
        for subscriber in subscribers where subscriber.wants(message, signal, names) {
            do {
                guard try subscriber.deliver(message) else { continue }
                logger.warning("D-Bus signals arrive faster than they are processed; the oldest are dropped")
            } catch {
                logger.warning(
                    "a D-Bus signal cannot be decoded and is ignored", metadata: ["reason": "\(error)"])
            }
        }
    }

    func unsubscribe(_ number: UInt64) {
        guard let index = subscribers.firstIndex(where: { $0.number == number }) else { return }
        let subscriber = subscribers.remove(at: index)
        subscriber.finish()
        forget(subscriber.rule)
    }

    func droppedCount(of number: UInt64) -> Int {
        subscribers.first { $0.number == number }?.droppedCount ?? 0
    }

    private func subscribe(_ rule: MatchRule, receiver: Subscriber.Receiver) async throws -> Subscription {
        try rule.validate()
        guard transport != nil else { throw DBusError.closed("Subscribe to \(rule.text)") }
        let number = makeNumber()
        subscribers.append(Subscriber(number: number, rule: rule, receiver: receiver))
        do {
            // The client asks for the owner of the sender's name before it adds the rule, so that the owner is known
            // when the first signal arrives.
            if let name = rule.followedName, names.add(name) { try await follow(name) }
            _ = try await callBus("AddMatch", .string(rule.text))
        } catch {
            if let index = subscribers.firstIndex(where: { $0.number == number }) {
                subscribers.remove(at: index).finish()
                forget(rule)
            }
            throw error
        }
        return Subscription(number: number, connection: self)
    }

    /// Removes a match rule from the bus, without waiting for the answer.
    private func forget(_ rule: MatchRule) {
        removeMatch(rule)
        if let name = rule.followedName, names.remove(name) { removeMatch(.owner(of: name)) }
    }

    private func removeMatch(_ rule: MatchRule) {
        // The call fails only on a closed connection, for which the bus keeps no rules.
        try? send(
            Message(
                call: "RemoveMatch", of: BusName.bus, at: BusName.path, on: BusName.bus, [.string(rule.text)])
        )
    }

    private func follow(_ name: String) async throws {
        _ = try await callBus("AddMatch", .string(MatchRule.owner(of: name).text))
        if let owner = try await owner(of: name) { names.setOwner(of: name, to: owner) }
    }

    private func noteOwner(_ message: IncomingMessage) {
        guard message.sender == BusName.bus, let change = NameOwnerChange(message) else { return }
        names.setOwner(of: change.name, to: change.newOwner)
    }
}

extension MatchRule {
    /// Returns the rule for owner changes of a name; of all names if `name` is nil.
    static func owner(of name: String?) -> MatchRule {
        MatchRule(
            sender: BusName.bus, interface: BusName.bus, member: "NameOwnerChanged", path: BusName.path,
            arguments: name.map { [0: $0] } ?? [:])
    }
}

extension NameOwnerChange {
    init?(_ message: IncomingMessage) {
        var reader = message.reader()
        guard let name = try? reader.string(), let old = try? reader.string(), let new = try? reader.string()
        else { return nil }
        self.init(name: name, oldOwner: old.isEmpty ? nil : old, newOwner: new.isEmpty ? nil : new)
    }
}
