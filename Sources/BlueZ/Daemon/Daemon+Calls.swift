import DBus
import EventLoop

/// Takes the end of a call, on the loop.
typealias Completion = (isolated Daemon, Result<[Value], BlueZError>) -> Void

extension Daemon {
    /// Calls a method of bluetoothd; the answer goes to a handler, in its place among the signals.
    ///
    /// bluetoothd is never started by a call: whoever stopped it meant it.
    func start(
        _ member: String, of interface: String, at path: ObjectPath, _ arguments: [Value] = [],
        limit: Duration, subject: String, then complete: @escaping Completion
    ) {
        guard let connection, owner != nil else {
            return complete(self, .failure(away(member, subject)))
        }
        var message = Message(call: member, of: interface, at: path, on: Names.service, arguments)
        message.startsService = false
        let number = makeNumber()
        completions[number] = complete
        do {
            try connection.assumeIsolated { [message] connection in
                try connection.call(message, timeout: limit, for: self) { daemon, result in
                    let outcome = Self.outcome(result, member, subject)
                    daemon.completions.removeValue(forKey: number)?(daemon, outcome)
                }
            }
        } catch {
            let outcome = Self.outcome(.failure(error), member, subject)
            completions.removeValue(forKey: number)?(self, outcome)
        }
    }

    /// Calls a method of bluetoothd and waits for the answer, whether the task is cancelled or not: what was begun
    /// has to be known to have ended.
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
        BlueZError(.serviceAway, operation, on: subject, awayReason)
    }

    private static func outcome(
        _ result: Result<IncomingMessage, any Error>, _ member: String, _ subject: String
    ) -> Result<[Value], BlueZError> {
        do {
            return .success(try result.get().arguments())
        } catch let error as DBusError {
            return .failure(BlueZError(error, member, on: subject))
        } catch {
            return .failure(BlueZError(.cancelled, member, on: subject, "\(error)"))
        }
    }
}
