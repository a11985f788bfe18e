import EventLoop

/// Keeps a signal handler registered until `cancel` is called or the last reference to this object is released.
public final class Subscription: Sendable {
    let number: UInt64
    private weak let connection: Connection?

    init(number: UInt64, connection: Connection) {
        self.number = number
        self.connection = connection
    }

    deinit { cancel() }

    /// Removes the handler. On the loop's thread this is immediate: the handler is not called again.
    public func cancel() {
        guard let connection else { return }
        let number = number
        if connection.loop.isIsolated {
            connection.assumeIsolated { $0.unsubscribe(number) }
        } else {
            connection.loop.execute { connection.assumeIsolated { $0.unsubscribe(number) } }
        }
    }

    func droppedCount() async -> Int {
        await connection?.droppedCount(of: number) ?? 0
    }
}
