import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Names", .timeLimit(.minutes(1)))
struct NameTests {
    @Test("A name has one owner, who can give it back or lose it to who asks firmly")
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

    @Test("A name that is not allowed is refused", arguments: ["", "nodots", ".a.b", "a..b", "a.b\0"])
    func badNames(name: String) async throws {
        try await withBus(connections: 1) { _, _, connections in
            await #expect(throws: DBusError.self) { try await connections[0].requestName(name) }
            await #expect(throws: DBusError.self) { try await connections[0].owner(of: name) }
        }
    }

    @Test("The end of a connection is seen as its unique name losing its owner")
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
