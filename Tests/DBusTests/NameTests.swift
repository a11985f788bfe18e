import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Bus names", .timeLimit(.minutes(1)))
struct NameTests {
    @Test("A name has one owner, which can release it or be replaced")
    func ownership() async throws {
        try await withBus { _, _, connections in
            let (one, two) = (connections[0], connections[1])
            let early = try await one.owner(of: "test.name")
            #expect(early == nil)
            #expect(
                try await one.requestName("test.name", [.doNotQueue, .allowReplacement]) == .primaryOwner)
            #expect(
                try await one.requestName("test.name", [.doNotQueue, .allowReplacement]) == .alreadyOwner)
            #expect(try await two.requestName("test.name") == .exists)
            #expect(try await two.requestName("test.name", []) == .inQueue)
            #expect(try await two.owner(of: "test.name") == one.uniqueName)
            #expect(try await two.requestName("test.name", [.replaceExisting]) == .primaryOwner)
            #expect(try await one.owner(of: "test.name") == two.uniqueName)
            #expect(try await two.releaseName("test.name"))
            #expect(try await two.releaseName("test.name") == false)
        }
    }

    @Test("An invalid name is rejected", arguments: ["", "nodots", ".a.b", "a..b", "a.b\0"])
    func badNames(name: String) async throws {
        try await withBus(connections: 1) { _, _, connections in
            await #expect(throws: DBusError.self) { try await connections[0].requestName(name) }
            await #expect(throws: DBusError.self) { try await connections[0].owner(of: name) }
        }
    }

    @Test("The end of a connection is reported as the loss of its unique name's owner")
    func vanishing() async throws {
        try await withBus(connections: 3) { _, _, connections in
            let (changes, sink) = AsyncStream.makeStream(of: NameOwnerChange.self)
            let gone = connections[1].uniqueName
            let watching = try await connections[0].onOwnerChange(of: gone) { sink.yield($0) }
            await connections[2].close()
            await connections[1].close()
            for await change in changes {
                #expect(change.name == gone)
                #expect(change.oldOwner == gone)
                #expect(change.newOwner == nil)
                break
            }
            watching.cancel()
        }
    }
}
