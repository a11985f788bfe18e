import EventLoop

/// Answers one call, once; later answers are ignored. If a call is never answered, its caller times out.
public struct Answer: Sendable {
    let number: UInt64
    private let connection: WeakConnection

    init(number: UInt64, connection: Connection) {
        self.number = number
        self.connection = WeakConnection(connection)
    }

    /// Answers with values of the method's declared types. On the loop's thread, the answer is sent before this method
    /// returns.
    public func succeed(_ values: [Value] = []) {
        give(.success(values))
    }

    /// Answers with an error.
    public func fail(_ error: DBusError) {
        give(.failure(error))
    }

    private func give(_ result: Result<[Value], any Error>) {
        guard let connection = connection.value else { return }
        let number = number
        if connection.loop.isIsolated {
            connection.assumeIsolated { $0.answer(number, result) }
        } else {
            connection.loop.execute { connection.assumeIsolated { $0.answer(number, result) } }
        }
    }
}

final class WeakConnection: Sendable {
    private weak let connection: Connection?

    init(_ connection: Connection) { self.connection = connection }

    var value: Connection? { connection }
}
