import DBus
import EventLoop
import HostTesting

/// Runs a body with a private bus, an event loop, and `count` connections to the bus.
func withBus<Result: Sendable>(
    connections count: Int = 2, _ body: (PrivateBus, EventLoop, [Connection]) async throws -> Result
) async throws -> Result {
    let bus = try PrivateBus()
    let loop = try EventLoop.start(name: "dbus-test")
    var connections: [Connection] = []
    do {
        for _ in 0..<count { connections.append(try await Connection.open(bus.address, loop: loop)) }
        let result = try await body(bus, loop, connections)
        for connection in connections { await connection.close() }
        loop.stop()
        return result
    } catch {
        for connection in connections { await connection.close() }
        loop.stop()
        throw error
    }
}
