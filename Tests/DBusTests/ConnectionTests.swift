import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Connections to a bus", .timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test("Every connection gets a different unique name")
    func uniqueNames() async throws {
        try await withBus { _, _, connections in
            #expect(connections.allSatisfy { $0.uniqueName.hasPrefix(":") })
            #expect(connections[0].uniqueName != connections[1].uniqueName)
            #expect(await connections[0].isOpen)
        }
    }
}
