import DBus
import EventLoop

/// An actor on the loop that remembers what reached it.
actor Collector {
    let loop: EventLoop
    var count = 0
    var events: [String] = []

    init(on loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a call as an actor on the loop does, and remembers when its answer came.
    func call(_ message: Message, on connection: Connection) async throws {
        _ = try await connection.call(message)
        events.append("answer")
    }
}
