import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Signals of a bus", .timeLimit(.minutes(1)))
struct SignalTests {
    /// Waits until all messages that `sender` has sent so far have reached `receiver`.
    private func settle(_ sender: Connection, _ receiver: Connection) async throws {
        _ = try await sender.owner(of: "org.freedesktop.DBus")
        _ = try await receiver.owner(of: "org.freedesktop.DBus")
    }

    @Test("Ten thousand signals reach a handler in order, each once")
    func manySignals() async throws {
        try await withBus { _, loop, connections in
            let collector = Collector(on: loop)
            let subscription = try await connections[0].subscribe(
                MatchRule(interface: "test.Signals", member: "Tick"), for: collector
            ) { collector, message in
                var reader = message.reader()
                guard (try? reader.int32()) == Int32(collector.count) else { return }
                collector.count += 1
            }
            for number in 0..<10_000 {
                try await connections[1].emit("Tick", of: "test.Signals", at: "/", .int32(Int32(number)))
            }
            try await connections[1].flush()
            try await settle(connections[1], connections[0])
            #expect(await collector.count == 10_000)
            subscription.cancel()
        }
    }

    @Test("The values of a notification can be read without decoding the rest")
    func propertiesChanged() async throws {
        try await withBus { _, _, connections in
            let (blocks, sink) = AsyncStream.makeStream(of: [UInt8].self)
            let rule = MatchRule(
                interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                pathNamespace: "/org/bluez", arguments: [0: "org.bluez.GattCharacteristic1"])
            let subscription = try await connections[0].subscribe(rule) { message in
                var reader = message.reader()
                reader.skip()
                guard var changed = try? reader.container() else { return }
                while !changed.isAtEnd {
                    guard var entry = try? changed.container(), (try? entry.string(is: "Value")) == true,
                        var value = try? entry.container(), let bytes = try? value.bytes()
                    else { continue }
                    sink.yield(bytes)
                }
            }
            let characteristic = Interface(
                "org.bluez.GattCharacteristic1",
                properties: [Property("Notifying", .bool, .bool(true)), Property("Value", "ay", .bytes([]))])
            let path: ObjectPath = "/org/bluez/hci0/dev/service/char"
            try await connections[1].export([characteristic], at: path)
            for block in [[1, 2, 3], [], [255]] as [[UInt8]] {
                try await connections[1].setProperties(
                    ["Value": .bytes(block), "Notifying": .bool(false)], of: characteristic.name, at: path)
            }
            try await settle(connections[1], connections[0])
            sink.finish()
            var received: [[UInt8]] = []
            for await block in blocks { received.append(block) }
            #expect(received == [[1, 2, 3], [], [255]])
            subscription.cancel()
        }
    }

    @Test("A canceled or released subscription is not called again, and only its own rule is removed")
    func cancelled() async throws {
        try await withBus { _, _, connections in
            let (first, second, third) = (Counter(), Counter(), Counter())
            let rule = MatchRule(interface: "test.Signals")
            let one = try await connections[0].subscribe(rule) { _ in first.add(1) }
            var two: Subscription? = try await connections[0].subscribe(rule) { _ in second.add(1) }
            let three = try await connections[0].subscribe(rule) { _ in third.add(1) }
            #expect(two != nil)
            try await connections[1].emit("A", of: "test.Signals", at: "/")
            try await settle(connections[1], connections[0])
            one.cancel()
            two = nil
            try await settle(connections[0], connections[1])
            try await connections[1].emit("B", of: "test.Signals", at: "/")
            try await settle(connections[1], connections[0])
            #expect([first.value, second.value, third.value] == [1, 1, 2])
            three.cancel()
        }
    }

    @Test(
        "A rule selects its signals, even if another rule of the connection matches all signals",
        arguments: [
            (MatchRule(), "ABCD"), (MatchRule(member: "A"), "A"), (MatchRule(interface: "test.Two"), "C"),
            (MatchRule(path: "/a/b"), "B"), (MatchRule(pathNamespace: "/a"), "AB"),
            (MatchRule(pathNamespace: .root), "ABCD"), (MatchRule(arguments: [0: "org.x"]), "AC"),
            (MatchRule(arguments: [0: "org.x", 1: "it's"]), "C"), (MatchRule(arguments: [1: "it's"]), "C"),
            (MatchRule(firstArgumentNamespace: "org.x"), "ABC"), (MatchRule(sender: "test.name"), "ABCD"),
            (MatchRule(sender: "test.other"), ""), (MatchRule(sender: ":9.999"), ""),
        ])
    func rules(rule: MatchRule, expected: String) async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            #expect(try await server.requestName("test.name") == .primaryOwner)
            let everything = try await client.subscribe(MatchRule(pathNamespace: .root)) { _ in }
            let limited = MatchRule(
                sender: rule.sender ?? server.uniqueName, interface: rule.interface, member: rule.member,
                path: rule.path, pathNamespace: rule.pathNamespace, arguments: rule.arguments,
                firstArgumentNamespace: rule.firstArgumentNamespace)
            let signals = try await client.signals(limited)
            try await server.emit("A", of: "test.One", at: "/a", .string("org.x"))
            try await server.emit("B", of: "test.One", at: "/a/b", .string("org.x.y"), .byte(1))
            try await server.emit("C", of: "test.Two", at: "/ab", .string("org.x"), .string("it's"))
            try await server.emit("D", of: "test.One", at: "/", .byte(1))
            try await settle(server, client)
            await client.close()
            var received = ""
            for await signal in signals { received += signal.member ?? "?" }
            #expect(received == expected)
            everything.cancel()
        }
    }

    @Test(
        "An invalid rule is rejected",
        arguments: [
            MatchRule(sender: "no name"), MatchRule(interface: "x"), MatchRule(member: "a.b"),
            MatchRule(path: "/a", pathNamespace: "/a"), MatchRule(arguments: [64: "a"]),
            MatchRule(arguments: [0: "a\0"]), MatchRule(firstArgumentNamespace: "a'b"),
        ])
    func badRules(rule: MatchRule) async throws {
        try await withBus(connections: 1) { _, _, connections in
            let error = await #expect(throws: DBusError.self) { _ = try await connections[0].signals(rule) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test("Signals from a name are delivered after the name changes its owner")
    func senderFollowed() async throws {
        try await withBus(connections: 3) { _, _, connections in
            let client = connections[0]
            let signals = try await client.signals(MatchRule(sender: "test.name", interface: "test.Signals"))
            let (changes, sink) = AsyncStream.makeStream(of: NameOwnerChange.self)
            let watching = try await client.onOwnerChange(of: "test.name") { sink.yield($0) }
            var change = changes.makeAsyncIterator()
            try await connections[1].emit("Early", of: "test.Signals", at: "/")
            for (round, server) in [connections[1], connections[2]].enumerated() {
                #expect(try await server.requestName("test.name") == .primaryOwner)
                #expect(await change.next()?.newOwner == server.uniqueName)
                try await server.emit("Owned\(round)", of: "test.Signals", at: "/")
                try await settle(server, client)
                #expect(try await server.releaseName("test.name"))
                #expect(await change.next()?.newOwner == nil)
                try await server.emit("Released", of: "test.Signals", at: "/")
            }
            try await settle(connections[2], client)
            await client.close()
            var received: [String?] = []
            for await signal in signals { received.append(signal.member) }
            #expect(received == ["Owned0", "Owned1"])
            watching.cancel()
        }
    }

    @Test("A stream keeps the newest signals and counts dropped ones")
    func boundedStream() async throws {
        try await withBus { _, _, connections in
            let signals = try await connections[0].signals(MatchRule(interface: "test.Signals"), limit: 3)
            for number in 0..<Int32(10) {
                try await connections[1].emit("Tick", of: "test.Signals", at: "/", .int32(number))
            }
            try await settle(connections[1], connections[0])
            #expect(await signals.droppedCount() == 7)
            var iterator = signals.makeAsyncIterator()
            for number in 7..<Int32(10) {
                #expect(await iterator.next()?.arguments == [.int32(number)])
            }
        }
    }

    @Test("A task that waits for an answer resumes on the loop before later signals are delivered")
    func answerBeforeLaterSignals() async throws {
        try await withBus { _, loop, connections in
            let (client, server) = (connections[0], connections[1])
            let interface = Interface(
                "test.Order",
                methods: [
                    .immediate("Go") { call in
                        try server.assumeIsolated { try $0.emit("Before", of: "test.Order", at: "/") }
                        loop.execute {
                            try? server.assumeIsolated { try $0.emit("After", of: "test.Order", at: "/") }
                        }
                        return []
                    }
                ])
            try await server.export([interface], at: "/")
            let collector = Collector(on: loop)
            let subscription = try await client.subscribe(
                MatchRule(interface: "test.Order"), for: collector
            ) {
                $0.events.append($1.member ?? "")
            }
            let message = Message(call: "Go", of: "test.Order", at: "/", on: server.uniqueName)
            for _ in 0..<200 { try await collector.call(message, on: client) }
            try await settle(server, client)
            let expected = (0..<200).flatMap { _ in ["Before", "answer", "After"] }
            let events = await collector.events
            #expect(events.joined(separator: " ") == expected.joined(separator: " "))
            subscription.cancel()
        }
    }

    @Test("A signal to one receiver reaches no other connection")
    func directed() async throws {
        try await withBus(connections: 3) { _, _, connections in
            let counts = [Counter(), Counter()]
            var subscriptions: [Subscription] = []
            for (count, connection) in zip(counts, connections) {
                subscriptions.append(
                    try await connection.subscribe(MatchRule(interface: "test.Signals")) { _ in count.add(1) }
                )
            }
            try await connections[2].emit(
                "Tick", of: "test.Signals", at: "/", to: connections[0].uniqueName)
            try await settle(connections[2], connections[0])
            try await settle(connections[2], connections[1])
            #expect(counts.map(\.value) == [1, 0])
        }
    }
}
