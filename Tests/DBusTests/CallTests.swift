import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Method calls", .timeLimit(.minutes(1)))
struct CallTests {
    static let interface = Interface(
        "test.Calls",
        methods: [
            .immediate("Add", takes: "ii", returns: "i") { call in
                [.int32(Int32((call.arguments[0].integer ?? 0) + (call.arguments[1].integer ?? 0)))]
            },
            .immediate("Refuse") { _ in
                throw DBusError(name: "org.bluez.Error.NotReady", message: "Resource Not Ready")
            },
            .immediate("Fail") { _ in throw CancellationError() },
            .immediate("Wrong", returns: "s") { _ in [.byte(1)] },
            .immediate("Echo", takes: "aya{sv}", returns: "aya{sv}") { .init($0.arguments) },
            .immediate("Who", returns: "s") { [.string($0.sender)] },
            .deferred("Never") { _, _ in },
            .deferred("Twice", returns: "s") { _, answer in
                answer.succeed([.string("first")])
                answer.succeed([.string("second")])
            },
            .deferred("Later", returns: "s") { _, answer in
                Task.detached { answer.succeed([.string("later")]) }
            },
            .waiting("Wait", takes: "s", returns: "s") { call in
                await Task.yield()
                return call.arguments
            },
        ])

    private func withServer(
        _ body: @escaping (_ client: Connection, _ server: Connection) async throws -> Void
    ) async throws {
        try await withBus { _, _, connections in
            try await connections[1].export([Self.interface], at: "/calls")
            try await body(connections[0], connections[1])
        }
    }

    private func call(
        _ member: String, _ client: Connection, _ server: Connection, _ arguments: [Value] = [],
        timeout: Duration = .seconds(10)
    ) async throws -> [Value] {
        try await client.call(
            Message(call: member, of: "test.Calls", at: "/calls", on: server.uniqueName, arguments),
            timeout: timeout
        ).arguments
    }

    @Test("A call is answered by an immediate, a waiting or a deferred handler")
    func answers() async throws {
        try await withServer { client, server in
            let answer1 = try await call("Add", client, server, [.int32(2), .int32(3)])
            #expect(answer1 == [.int32(5)])
            let answer2 = try await call("Wait", client, server, [.string("a")])
            #expect(answer2 == [.string("a")])
            let answer3 = try await call("Later", client, server)
            #expect(answer3 == [.string("later")])
            let answer4 = try await call("Twice", client, server)
            #expect(answer4 == [.string("first")])
            let answer5 = try await call("Who", client, server)
            #expect(answer5 == [.string(client.uniqueName)])
        }
    }

    @Test("An error carries its name, its message and the operation")
    func errors() async throws {
        try await withServer { client, server in
            let error = await #expect(throws: DBusError.self) { try await call("Refuse", client, server) }
            #expect(error?.code == .errorReply)
            #expect(error?.name == "org.bluez.Error.NotReady")
            #expect(error?.message == "Resource Not Ready")
            #expect(error?.operation == "test.Calls.Refuse at /calls on \(server.uniqueName)")
            for member in ["Fail", "Wrong"] {
                let error = await #expect(throws: DBusError.self) { try await call(member, client, server) }
                #expect(error?.name == DBusError.Name.failed)
            }
        }
    }

    @Test(
        "Calls of missing objects and methods are answered like in libdbus",
        arguments: [
            ("/calls", "test.Calls", "Nothing", DBusError.Name.unknownMethod),
            ("/calls", "test.Nothing", "Add", DBusError.Name.unknownMethod),
            ("/calls", "test.Calls", "Add", DBusError.Name.unknownMethod),
            ("/nothing", "test.Calls", "Add", DBusError.Name.unknownObject),
            ("/nothing", "org.freedesktop.DBus.Properties", "GetAll", DBusError.Name.unknownObject),
        ])
    func unknown(path: ObjectPath, interface: String, member: String, name: String) async throws {
        try await withServer { client, server in
            let error = await #expect(throws: DBusError.self) {
                try await client.call(
                    member, of: interface, at: path, on: server.uniqueName, .string("wrong"))
            }
            #expect(error?.name == name)
            #expect(
                error?.message
                    == (member == "GetAll"
                        ? "Method \"GetAll\" with signature \"s\" on interface \"\(interface)\" doesn't exist\n"
                        : "Method \"\(member)\" with signature \"s\" on interface \"\(interface)\" doesn't exist\n")
            )
        }
    }

    @Test("A missing service leads to ServiceUnknown")
    func missingService() async throws {
        try await withBus(connections: 1) { _, _, connections in
            let error = await #expect(throws: DBusError.self) {
                try await connections[0].call("Do", of: "no.such.Interface", at: "/", on: "no.such.service")
            }
            #expect(error?.code == .errorReply)
            #expect(error?.name == DBusError.Name.serviceUnknown)
        }
    }

    @Test("A call without an answer times out, and the connection still works")
    func timeOut() async throws {
        try await withServer { client, server in
            let error = await #expect(throws: DBusError.self) {
                try await call("Never", client, server, timeout: .milliseconds(20))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.operation == "test.Calls.Never at /calls on \(server.uniqueName)")
            let answer6 = try await call("Add", client, server, [.int32(2), .int32(3)])
            #expect(answer6 == [.int32(5)])
        }
    }

    @Test("A canceled task stops waiting immediately")
    func cancellation() async throws {
        try await withServer { client, server in
            let message = Message(call: "Never", of: "test.Calls", at: "/calls", on: server.uniqueName)
            let (started, sink) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                sink.yield()
                return try await client.call(message)
            }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.call(message)
            }
            await #expect(throws: CancellationError.self) { try await early.value }
        }
    }

    @Test("A thousand concurrent calls each get their own answer")
    func concurrent() async throws {
        try await withServer { client, server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        let sum = try await client.call(
                            "Add", of: "test.Calls", at: "/calls", on: server.uniqueName,
                            .int32(Int32(number)), .int32(1))
                        return sum == [.int32(Int32(number + 1))]
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test("The handler variant calls back inside an actor on the loop")
    func handlerForm() async throws {
        try await withBus { _, loop, connections in
            try await connections[1].export([Self.interface], at: "/calls")
            let actor = Collector(on: loop)
            let message = Message(
                call: "Add", of: "test.Calls", at: "/calls", on: connections[1].uniqueName,
                [.int32(1), .int32(2)])
            let (sums, sink) = AsyncStream.makeStream(of: Int.self)
            loop.execute {
                do {
                    try connections[0].start(message, for: actor) { actor, result in
                        actor.count += 1
                        if case .success(let answer) = result,
                            let sum = try? answer.arguments().first?.integer
                        {
                            sink.yield(sum)
                        }
                        sink.finish()
                    }
                } catch { sink.finish() }
            }
            var received: [Int] = []
            for await sum in sums { received.append(sum) }
            #expect(received == [3])
            #expect(await actor.count == 1)
        }
    }

    @Test("Calls without an answer time out in the order of their deadlines, whatever the order of the calls")
    func timeOuts() async throws {
        try await withServer { client, server in
            let (ends, sink) = AsyncStream.makeStream(of: Int.self)
            let message = Message(call: "Never", of: "test.Calls", at: "/calls", on: server.uniqueName)
            client.loop.execute {
                for limit in [300, 100, 60_000, 200] {
                    try? client.start(.message(message), timeout: .milliseconds(limit)) { result in
                        if case .failure(let error as DBusError) = result, error.code == .timedOut {
                            sink.yield(limit)
                        }
                    }
                }
            }
            var iterator = ends.makeAsyncIterator()
            var seen: [Int] = []
            while seen.count < 3, let limit = await iterator.next() { seen.append(limit) }
            #expect(seen == [100, 200, 300])
        }
    }

    @Test("A template creates calls with different bytes of any length, and rejects invalid messages")
    func template() async throws {
        try await withServer { client, server in
            let (echoes, sink) = AsyncStream.makeStream(of: [Value].self)
            var message = Message(
                call: "Echo", of: "test.Calls", at: "/calls", on: server.uniqueName,
                [.properties(["type": .string("request")])])
            let sent: [[UInt8]] = [
                [1, 2, 3], [4, 5, 6], [7], [8], [], [], [9, 10], [0xFF, 0], [11, 12, 13],
            ]
            let call = message
            client.loop.execute {
                do {
                    let template = try CallTemplate(call)
                    for bytes in sent {
                        try client.start(.template(template, bytes)) { result in
                            sink.yield((try? result.get().arguments()) ?? [])
                        }
                    }
                } catch {
                    Issue.record(error)
                }
            }
            var iterator = echoes.makeAsyncIterator()
            for bytes in sent {
                let echo = await iterator.next()
                #expect(echo == [.bytes(bytes)] + call.arguments)
            }
            message.arguments = [.string("\0")]
            #expect(throws: DBusError.self) { try CallTemplate(message) }
        }
    }

    @Test("A call without a reply arrives, and its failure is not reported")
    func noReply() async throws {
        try await withServer { client, server in
            try await client.send(
                Message(call: "Refuse", of: "test.Calls", at: "/calls", on: server.uniqueName))
            let answer7 = try await call("Add", client, server, [.int32(2), .int32(3)])
            #expect(answer7 == [.int32(5)])
        }
    }
}
