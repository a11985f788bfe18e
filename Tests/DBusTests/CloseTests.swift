import DBus
import Dispatch
import EventLoop
import Glibc
import HostTesting
import Testing

@Suite("The end of a connection", .timeLimit(.minutes(1)))
struct CloseTests {
    @Test("On the loss of the bus, calls fail, streams finish and all close handlers are called")
    func lost() async throws {
        try await withBus { bus, _, connections in
            let (client, server) = (connections[0], connections[1])
            let never = Interface("test.Never", methods: [.deferred("Never") { _, _ in }])
            try await server.export([never], at: "/")
            let signals = try await client.signals(MatchRule(interface: "test.Signals"))
            let (told, sink) = AsyncStream.makeStream(of: CloseReason.self)
            await client.onClose { sink.yield($0) }
            async let reason = client.waitForClose()
            let answer = Task {
                try await client.call("Never", of: "test.Never", at: "/", on: server.uniqueName)
            }
            // The call has been sent by the time that this one is answered.
            _ = try await client.owner(of: "test.name")
            bus.stop()
            let heard = try await reason
            #expect(heard == .lost)
            let error = await #expect(throws: DBusError.self) { try await answer.value }
            #expect(error?.code == .closed)
            for await _ in signals { Issue.record("A signal came from nowhere") }
            var iterator = told.makeAsyncIterator()
            #expect(await iterator.next() == .lost)
            #expect(await client.isOpen == false)

            let late = await #expect(throws: DBusError.self) { try await client.owner(of: "test.name") }
            #expect(late?.code == .closed)
            await client.onClose { sink.yield($0) }
            #expect(await iterator.next() == .lost)
            #expect(try await client.waitForClose() == .lost)
        }
    }

    @Test("A second close has no effect, and pending calls fail")
    func closed() async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            try await server.export(
                [Interface("test.Never", methods: [.deferred("Never") { _, _ in }])], at: "/")
            let (results, sink) = AsyncStream.makeStream(of: DBusError.Code?.self)
            try await client.call(
                Message(call: "Never", of: "test.Never", at: "/", on: server.uniqueName)
            ) { result in
                if case .failure(let error) = result { sink.yield((error as? DBusError)?.code) }
            }
            await client.close()
            await client.close()
            var iterator = results.makeAsyncIterator()
            #expect(await iterator.next() == .closed)
            #expect(try await client.waitForClose() == .closed)
            await #expect(throws: DBusError.self) { try await client.flush() }
        }
    }

    @Test("A handler may close its own connection")
    func closedInHandler() async throws {
        try await withBus { _, _, connections in
            let client = connections[0]
            let subscription = try await client.subscribe(MatchRule(interface: "test.Signals")) { _ in
                client.assumeIsolated { $0.close() }
            }
            for _ in 0..<10 { try await connections[1].emit("Tick", of: "test.Signals", at: "/") }
            #expect(try await client.waitForClose() == .closed)
            subscription.cancel()
        }
    }

    @Test("A connection without references closes itself")
    func released() async throws {
        try await withBus { bus, loop, connections in
            let (changes, sink) = AsyncStream.makeStream(of: NameOwnerChange.self)
            var connection: Connection? = try await Connection.open(bus.address, loop: loop)
            let name = try #require(connection?.uniqueName)
            let watching = try await connections[0].onOwnerChange(of: name) { sink.yield($0) }
            connection = nil
            for await change in changes {
                #expect(change.name == name)
                break
            }
            watching.cancel()
        }
    }

    @Test("A connection may be released while a message to it is about to be read")
    func releasedBeforeMessage() async throws {
        try await withBus { bus, _, connections in
            let loop = try EventLoop.start(name: "dbus-released")
            defer { loop.stop() }
            var ends: [CInt] = [-1, -1]
            #expect(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            // Halts the loop twice: before it waits for descriptors, and at the first of two ready descriptors. The
            // second is the connection's, because it is watched later.
            let (early, late) = (Halt(), Halt())
            loop.execute { [end = ends[0]] in
                var watch: Watch?
                watch = loop.watch(end, for: .readable) { _ in
                    watch?.cancel()
                    watch = nil
                    late.stand()
                }
            }
            var connection: Connection? = try await Connection.open(bus.address, loop: loop)
            let name = try #require(connection?.uniqueName)
            loop.execute { early.stand() }
            early.waitUntilStanding()
            #expect(write(ends[1], "x", 1) == 1)
            let tick = Message(signal: "Tick", of: "test.Signals", at: "/", to: name)
            try await connections[0].send(tick)
            // The bus has forwarded the signal by the time that it answers this call.
            _ = try await connections[0].owner(of: "test.name")
            early.end()
            late.waitUntilStanding()
            connection = nil
            late.end()
        }
    }

    @Test("Waiting for the end can be canceled")
    func waitCancelled() async throws {
        try await withBus(connections: 1) { _, _, connections in
            let task = Task { try await connections[0].waitForClose() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(
        "Connecting to a missing or invalid bus fails",
        arguments: [
            "unix:path=/nonexistent/bus", "nonsense", "", "tcp:host=127.0.0.1,port=1", "unix:path=/dev/null",
        ])
    func noBus(address: String) async throws {
        let loop = try EventLoop.start(name: "dbus-test")
        let error = await #expect(throws: DBusError.self) {
            try await Connection.open(.explicit(address), loop: loop)
        }
        #expect(error?.code == .cannotConnect)
        loop.stop()
    }

    @Test("A bus that does not answer cannot block the opening of a connection beyond its timeout")
    func haltedBus() async throws {
        try await withBus(connections: 1) { bus, loop, connections in
            bus.setHalted(true)
            let error = await #expect(throws: DBusError.self) {
                try await Connection.open(bus.address, loop: loop, timeout: .milliseconds(50))
            }
            #expect(error?.code == .timedOut)
            let opening = Task { [address = bus.address] in
                try await Connection.open(address, loop: loop)
            }
            opening.cancel()
            await #expect(throws: CancellationError.self) { try await opening.value }
            bus.setHalted(false)
            let owner = try await connections[0].owner(of: "test.name")
            #expect(owner == nil)
        }
    }

    @Test("Flush completes after a slow bus has read all messages")
    func flush() async throws {
        try await withBus { bus, _, connections in
            let count = Counter()
            let subscription = try await connections[1].subscribe(MatchRule(interface: "test.Signals")) { _ in
                count.add(1)
            }
            bus.setHalted(true)
            let block = Value.bytes([UInt8](repeating: 7, count: 1 << 16))
            for _ in 0..<100 { try await connections[0].emit("Tick", of: "test.Signals", at: "/", block) }
            #expect(await connections[0].outgoingBytes > 1 << 20)
            async let flushed: Void = connections[0].flush()
            bus.setHalted(false)
            try await flushed
            #expect(await connections[0].outgoingBytes == 0)
            _ = try await connections[0].owner(of: "org.freedesktop.DBus")
            _ = try await connections[1].owner(of: "org.freedesktop.DBus")
            #expect(count.value == 100)
            subscription.cancel()
        }
    }
}

/// Halts a thread until another thread releases it.
private struct Halt: Sendable {
    private let begun = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    func stand() {
        begun.signal()
        ended.wait()
    }

    func waitUntilStanding() { begun.wait() }

    func end() { ended.signal() }
}
