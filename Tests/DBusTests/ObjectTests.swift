import DBus
import EventLoop
import HostTesting
import Testing

@Suite("Exported objects", .timeLimit(.minutes(1)))
struct ObjectTests {
    private static let properties = "org.freedesktop.DBus.Properties"

    private static let adapter = Interface(
        "org.bluez.Adapter1",
        methods: [.immediate("StartDiscovery") { _ in [] }],
        properties: [
            Property("Address", .string, .string("00:11")),
            Property("Powered", .bool, .bool(true), access: .readWrite),
            Property("Class", .uint32),
        ])

    private static func device(_ name: String) -> Interface {
        Interface("org.bluez.Device1", properties: [Property("Name", .string, .string(name))])
    }

    /// Waits for the next signal; returns its member and arguments.
    private func next(_ iterator: inout Signals.AsyncIterator) async -> (String?, [Value]) {
        let signal = await iterator.next(isolation: #isolation)
        return (signal?.member, signal?.arguments ?? [])
    }

    @Test("An object manager lists the objects below it and signals added and removed interfaces")
    func objectManager() async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            await server.exportObjectManager(at: .root)
            try await server.export([Self.adapter], at: "/org/bluez/hci0")
            let signals = try await client.signals(MatchRule(interface: "org.freedesktop.DBus.ObjectManager"))
            var iterator = signals.makeAsyncIterator()
            let device: ObjectPath = "/org/bluez/hci0/dev_1"
            try await server.export([Self.device("belt")], at: device)

            let added = await next(&iterator)
            #expect(added.0 == "InterfacesAdded")
            let description: Value = .dictionary(
                [.init(.string("org.bluez.Device1"), .properties(["Name": .string("belt")]))], key: .string,
                value: "a{sv}")
            #expect(added.1 == [.objectPath(device), description])

            let managed = try await client.call(
                "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root,
                on: server.uniqueName)
            let adapterDescription: Value = .dictionary(
                [
                    .init(
                        .string("org.bluez.Adapter1"),
                        .dictionary(
                            [
                                .init(.string("Address"), .variant(.string("00:11"))),
                                .init(.string("Powered"), .variant(.bool(true))),
                            ], key: .string, value: .variant))
                ], key: .string, value: "a{sv}")
            #expect(
                managed == [
                    .dictionary(
                        [
                            .init(.objectPath("/org/bluez/hci0"), adapterDescription),
                            .init(.objectPath(device), description),
                        ], key: .objectPath, value: "a{sa{sv}}")
                ])

            await server.unexport(at: device)
            let removed = await next(&iterator)
            #expect(removed.0 == "InterfacesRemoved")
            #expect(removed.1 == [.objectPath(device), .strings(["org.bluez.Device1"])])
            #expect(await server.exportedPaths == ["/org/bluez/hci0"])
        }
    }

    @Test("An object manager can list the standard interfaces, like BlueZ")
    func standardInterfaces() async throws {
        try await withBus { _, _, connections in
            await connections[1].exportObjectManager(at: .root, listsStandardInterfaces: true)
            let signals = try await connections[0].signals(
                MatchRule(interface: "org.freedesktop.DBus.ObjectManager"))
            var iterator = signals.makeAsyncIterator()
            try await connections[1].export([Self.device("belt")], at: "/d")
            try await connections[1].export([Interface("org.bluez.Battery1")], at: "/d")
            await connections[1].unexport(["org.bluez.Battery1"], at: "/d")
            await connections[1].unexport(at: "/d")
            let (introspectable, properties) = ("org.freedesktop.DBus.Introspectable", Self.properties)
            var names: [[String]] = []
            for _ in 0..<4 {
                let arguments = await next(&iterator).1
                names.append(arguments[1].strings ?? arguments[1].entries?.compactMap(\.key.string) ?? [])
            }
            #expect(
                names == [
                    [introspectable, "org.bluez.Device1", properties], ["org.bluez.Battery1"],
                    ["org.bluez.Battery1"], [introspectable, "org.bluez.Device1", properties],
                ])
        }
    }

    @Test("Properties are read separately and together, set, and signaled")
    func properties() async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            let (path, name): (ObjectPath, String) = ("/org/bluez/hci0", "org.bluez.Adapter1")
            try await server.export([Self.adapter], at: path)
            let signals = try await client.signals(MatchRule(interface: Self.properties))
            var iterator = signals.makeAsyncIterator()
            func ask(_ member: String, _ arguments: Value...) async throws -> [Value] {
                let message = Message(
                    call: member, of: Self.properties, at: path, on: server.uniqueName, arguments)
                return try await client.call(message).arguments
            }
            #expect(
                try await ask("Get", .string(name), .string("Address")) == [.variant(.string("00:11"))])
            #expect(
                try await ask("GetAll", .string(name)).first?.properties
                    == ["Address": .string("00:11"), "Powered": .bool(true)])

            #expect(
                try await ask("Set", .string(name), .string("Powered"), .variant(.bool(false))) == [])
            #expect(await server.property("Powered", of: name, at: path) == .bool(false))
            #expect(
                await next(&iterator).1
                    == [.string(name), .properties(["Powered": .bool(false)]), .strings([])])

            try await server.setProperties(["Class": .uint32(7), "Address": nil], of: name, at: path)
            #expect(
                await next(&iterator).1
                    == [.string(name), .properties(["Class": .uint32(7)]), .strings(["Address"])])

            let refusals: [(String, [Value], String, String)] = [
                (
                    "Get", [.string(name), .string("Address")], DBusError.Name.invalidArguments,
                    "No such property 'Address'"
                ),
                (
                    "Get", [.string(name), .string("X")], DBusError.Name.invalidArguments,
                    "No such property 'X'"
                ),
                (
                    "Get", [.string("a.b"), .string("X")], DBusError.Name.invalidArguments,
                    "No such interface 'a.b'"
                ),
                ("GetAll", [.string("a.b")], DBusError.Name.invalidArguments, "No such interface 'a.b'"),
                (
                    "Set", [.string(name), .string("Class"), .variant(.uint32(1))],
                    DBusError.Name.propertyReadOnly, "Property 'Class' is not writable"
                ),
                (
                    "Set", [.string(name), .string("Powered"), .variant(.uint32(1))],
                    DBusError.Name.invalidArguments, "Invalid signature for 'Powered'"
                ),
            ]
            for (member, arguments, errorName, text) in refusals {
                let message = Message(
                    call: member, of: Self.properties, at: path, on: server.uniqueName, arguments)
                let error = await #expect(throws: DBusError.self) { try await client.call(message) }
                #expect(error?.name == errorName)
                #expect(error?.message == text)
            }
        }
    }

    @Test("A setter accepts a value by setting the property, or rejects it by throwing")
    func setter() async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            let interface = Interface(
                "test.Set",
                properties: [
                    Property("Level", .uint16, .uint16(1), access: .readWrite) { call, value in
                        guard let level = value.integer, level <= 100 else {
                            throw DBusError(name: "test.Error.Range", message: "0 to 100")
                        }
                        #expect(call.sender == client.uniqueName)
                        try await server.setProperties(["Level": value], of: "test.Set", at: "/set")
                    }
                ])
            try await server.export([interface], at: "/set")
            func set(_ level: UInt16) async throws {
                _ = try await client.call(
                    "Set", of: Self.properties, at: "/set", on: server.uniqueName, .string("test.Set"),
                    .string("Level"), .variant(.uint16(level)))
            }
            try await set(60)
            #expect(await server.property("Level", of: "test.Set", at: "/set") == .uint16(60))
            let error = await #expect(throws: DBusError.self) { try await set(101) }
            #expect(error?.name == "test.Error.Range")
            #expect(await server.property("Level", of: "test.Set", at: "/set") == .uint16(60))
        }
    }

    @Test(
        "A property signals its changes as declared",
        arguments: [
            (Property.Emission.value, [Value.properties(["P": .byte(2)]), .strings([])]),
            (.invalidation, [.properties([:]), .strings(["P"])]), (.nothing, nil), (.constant, nil),
        ] as [(Property.Emission, [Value]?)])
    func emissions(emission: Property.Emission, expected: [Value]?) async throws {
        try await withBus { _, _, connections in
            let interface = Interface("test.P", properties: [Property("P", .byte, .byte(1), emits: emission)])
            try await connections[1].export([interface], at: "/p")
            let signals = try await connections[0].signals(MatchRule(sender: connections[1].uniqueName))
            try await connections[1].setProperties(["P": .byte(2)], of: "test.P", at: "/p")
            try await connections[1].emit("End", of: "test.P", at: "/p")
            var iterator = signals.makeAsyncIterator()
            if let expected { #expect(await next(&iterator).1 == [.string("test.P")] + expected) }
            #expect(await next(&iterator).0 == "End")
        }
    }

    @Test("A value of the wrong type, or for a missing property, is rejected and changes nothing")
    func badProperties() async throws {
        try await withBus(connections: 1) { _, _, connections in
            let server = connections[0]
            try await server.export([Self.adapter], at: "/a")
            await #expect(throws: DBusError.self) {
                try await server.setProperties(["Powered": .byte(1)], of: "org.bluez.Adapter1", at: "/a")
            }
            await #expect(throws: DBusError.self) {
                try await server.setProperties(
                    ["Address": .string("x"), "Nothing": .byte(1)], of: "org.bluez.Adapter1", at: "/a")
            }
            await #expect(throws: DBusError.self) {
                try await server.setProperties(["Powered": .bool(true)], of: "org.bluez.Adapter1", at: "/b")
            }
            await #expect(throws: DBusError.self) { try await server.export([Self.adapter], at: "/a") }
            #expect(await server.property("Address", of: "org.bluez.Adapter1", at: "/a") == .string("00:11"))
        }
    }

    @Test("Introspection returns interfaces, properties and children")
    func introspection() async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            await server.exportObjectManager(at: .root)
            try await server.export([Self.adapter], at: "/org/bluez/hci0")
            try await server.export([Self.device("a")], at: "/org/bluez/hci0/dev_1")
            func introspect(_ path: ObjectPath) async throws -> String {
                try await client.call(
                    "Introspect", of: "org.freedesktop.DBus.Introspectable", at: path, on: server.uniqueName
                ).first?.string ?? ""
            }
            let root = try await introspect(.root)
            #expect(root.contains(#"<node name="org"/>"#))
            #expect(root.contains("GetManagedObjects"))
            #expect(try await introspect("/org/bluez").contains(#"<node name="hci0"/>"#))
            let adapter = try await introspect("/org/bluez/hci0")
            #expect(adapter.contains(#"<interface name="org.bluez.Adapter1">"#))
            #expect(adapter.contains(#"<property name="Powered" type="b" access="readwrite"/>"#))
            #expect(adapter.contains(#"<method name="StartDiscovery">"#))
            #expect(adapter.contains(#"<node name="dev_1"/>"#))
            await #expect(throws: DBusError.self) { try await introspect("/nothing") }
        }
    }

    @Test("Every object answers Peer")
    func peer() async throws {
        try await withBus { _, _, connections in
            let answer = try await connections[0].call(
                "Ping", of: "org.freedesktop.DBus.Peer", at: "/anything", on: connections[1].uniqueName)
            #expect(answer == [])
        }
    }

    @Test("A waiting handler is canceled when the connection ends")
    func handlersEndWithConnection() async throws {
        try await withBus { _, _, connections in
            let (events, sink) = AsyncStream.makeStream(of: String.self)
            let interface = Interface(
                "test.Wait",
                methods: [
                    .waiting("Wait") { _ in
                        sink.yield("started")
                        do {
                            try await Task.sleep(for: .seconds(600))
                        } catch {
                            sink.yield("cancelled")
                        }
                        return []
                    }
                ])
            try await connections[1].export([interface], at: "/")
            try await connections[0].send(
                Message(call: "Wait", of: "test.Wait", at: "/", on: connections[1].uniqueName))
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == "started")
            await connections[1].close()
            #expect(await iterator.next() == "cancelled")
        }
    }
}
