import DBus
import EventLoop

/// An actor on the loop that records events.
actor Collector {
    let loop: EventLoop
    var count = 0
    var events: [String] = []

    init(on loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Calls a method like an actor on the loop, and records the arrival of the answer.
    func call(_ message: Message, on connection: Connection) async throws {
        _ = try await connection.call(message)
        events.append("answer")
    }
}
