import DBus
import EventLoop

/// Receives the result of a call, on the loop.
typealias Completion = (isolated Client, Result<[Value], BlueZError>) -> Void

extension Client {
    /// Calls a method of bluetoothd. Answers and signals reach their handlers in the order in which bluetoothd sent
    /// them.
    func start(
        _ member: String, of interface: String, at path: ObjectPath, _ arguments: [Value] = [],
        limit: Duration, subject: @autoclosure @escaping () -> String, then complete: @escaping Completion
    ) {
        // A call never starts bluetoothd through the bus: a stopped bluetoothd was stopped on purpose.
        var message = Message(call: member, of: interface, at: path, on: Names.service, arguments)
        message.startsService = false
        guard let connection = service.bus?.connection, service.owner != nil else {
            return complete(self, .failure(away(member, subject())))
        }
        do {
            try connection.start(.message(message), timeout: limit) {
                complete(self, Self.outcome($0, member, subject()))
            }
        } catch {
            complete(self, .failure(BlueZError(error, member, on: subject())))
        }
    }

    /// Calls a method of bluetoothd and waits for the answer, even in a canceled task: the client must know the
    /// outcome of every call that it started.
    @discardableResult
    func call(
        _ member: String, of interface: String, at path: ObjectPath, _ arguments: [Value] = [],
        limit: Duration, subject: String
    ) async throws(BlueZError) -> [Value] {
        let result: Result<[Value], BlueZError> = await withCheckedContinuation { continuation in
            start(member, of: interface, at: path, arguments, limit: limit, subject: subject) {
                continuation.resume(returning: $1)
            }
        }
        return try result.get()
    }

    func away(_ operation: String, _ subject: String) -> BlueZError {
        BlueZError(.serviceAway, operation, on: subject, service.awayReason)
    }

    /// Whether the bus answers. A missing bluetoothd or a missing bus counts as progress too, because the client waits
    /// for it. An open D-Bus connection without answers does not count as progress.
    public func isMakingProgress() async -> Bool {
        guard let connection = service.bus?.connection else { return true }
        do {
            _ = try await connection.owner(of: Names.service)
            return true
        } catch {
            // A lost D-Bus connection is reconnected, which counts as progress.
            return service.bus?.connection !== connection
        }
    }

    static func outcome(
        _ result: Result<IncomingMessage, any Error>, _ member: String, _ subject: @autoclosure () -> String
    ) -> Result<[Value], BlueZError> {
        do {
            return .success(try result.get().arguments())
        } catch let error as DBusError {
            return .failure(BlueZError(error, member, on: subject()))
        } catch {
            return .failure(BlueZError(.cancelled, member, on: subject(), "\(error)"))
        }
    }
}
