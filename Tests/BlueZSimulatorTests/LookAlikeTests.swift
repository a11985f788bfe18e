import Bluetooth
import DBus
import EventLoop
import Glibc
import HostTesting
import Testing
import VirtualDevices

@testable import BlueZSimulator

/// The BlueZ simulator on a private bus, with a client.
@Suite("The BlueZ simulator on a bus", .timeLimit(.minutes(1)))
struct LookAlikeTests {
    /// The objects of a test: a server, a client, and the client's signals.
    struct Harness {
        let bus: DBus.Address
        let loop: EventLoop
        let server: LookAlike
        let client: Connection
        let signals: Signals

        static let device: ObjectPath = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
        static let echo = device.appending("service000c").appending("char0010")

        func call(_ member: String, at path: ObjectPath, _ arguments: [Value] = []) async throws -> [Value] {
            let interface =
                switch path.name.prefix(4) {
                case "hci0": BlueZName.adapter
                case "dev_": BlueZName.device
                case "char": BlueZName.characteristic
                default: BlueZName.agentManager
                }
            return try await client.call(
                Message(call: member, of: interface, at: path, on: BlueZName.service, arguments)
            ).arguments
        }

        /// Waits for the signal that sets a property, and returns the value.
        func wait(for property: String, at path: ObjectPath) async throws -> Value? {
            for try await message in signals where message.path == path {
                if let value = message.arguments[1].properties?[property] { return value }
            }
            return nil
        }

        func waitForObject(_ path: ObjectPath) async throws {
            for try await message in signals
            where message.member == "InterfacesAdded" && message.arguments[0].objectPath == path { return }
        }
    }

    private func withStage(
        _ device: TestDevice = TestDevice(), asksAgent: Bool = false, _ body: (Harness) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        defer { bus.stop() }
        let loop = try EventLoop.start(name: "look-alike")
        defer { loop.stop() }
        var options = LookAlike.Options()
        options.startTime = .milliseconds(5)
        options.connectTime = .milliseconds(5)
        options.resolveTime = .milliseconds(5)
        options.pairingTime = .milliseconds(5)
        options.disconnectTime = .milliseconds(50)
        options.pairingAsksAgent = asksAgent
        let settings = Scenario.Device(name: "tester", model: .belt(.init()), address: "C0:FF:EE:00:00:01")
        let server = LookAlike(
            bus: bus.address, loop: loop, world: World([(settings, device)]), options: options,
            report: { _ in })
        try await server.start()
        let client = try await Connection.open(bus.address, loop: loop)
        let signals = try await client.signals(MatchRule(sender: BlueZName.service))
        try await body(
            Harness(bus: bus.address, loop: loop, server: server, client: client, signals: signals))
        await client.close()
        await server.stop()
    }

    @Test("After the start, the adapter and its managers are present and powered")
    func objects() async throws {
        try await withStage { harness in
            let answer = try await harness.client.call(
                "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root,
                on: BlueZName.service)
            let objects = try #require(answer[0].entries)
            #expect(objects.map { $0.key.objectPath?.description } == ["/org/bluez", "/org/bluez/hci0"])
            let interfaces = try #require(objects[1].value.entries)
            #expect(
                interfaces.compactMap(\.key.string) == [
                    "org.freedesktop.DBus.Introspectable", BlueZName.adapter, BlueZName.gattManager,
                    BlueZName.advertisingManager, "org.freedesktop.DBus.Properties",
                ])
            #expect(interfaces[1].value.properties?["Powered"] == .bool(true))
        }
    }

    @Test("A bus with an existing org.bluez is rejected")
    func nameTaken() async throws {
        try await withStage { harness in
            let second = LookAlike(
                bus: harness.bus, loop: harness.loop, world: World(.standard), report: { _ in })
            let error = await #expect(throws: SimulatorError.self) { try await second.start() }
            #expect(error?.code == .nameTaken)
        }
    }

    @Test("A client discovers, connects, reads, is notified, writes and disconnects")
    func session() async throws {
        try await withStage { harness in
            _ = try await harness.call("StartDiscovery", at: "/org/bluez/hci0")
            try await harness.waitForObject(Harness.device)
            _ = try await harness.call("StopDiscovery", at: "/org/bluez/hci0")
            _ = try await harness.call("Connect", at: Harness.device)
            #expect(try await harness.wait(for: "ServicesResolved", at: Harness.device) == .bool(true))
            let value = Harness.device.appending("service000c").appending("char000d")
            #expect(
                try await harness.call("ReadValue", at: value, [.properties([:])]) == [.bytes([1, 2, 3])])
            _ = try await harness.call("StartNotify", at: Harness.echo)
            _ = try await harness.call("WriteValue", at: Harness.echo, [.bytes([4, 5]), .properties([:])])
            #expect(try await harness.wait(for: "Value", at: Harness.echo) == .bytes([4, 5]))
            _ = try await harness.call("Disconnect", at: Harness.device)
            #expect(try await harness.wait(for: "Connected", at: Harness.device) == .bool(false))
        }
    }

    @Test("Acquired sockets transfer values in both directions")
    func sockets() async throws {
        try await withStage { harness in
            _ = try await harness.call("StartDiscovery", at: "/org/bluez/hci0")
            try await harness.waitForObject(Harness.device)
            _ = try await harness.call("Connect", at: Harness.device)
            #expect(try await harness.wait(for: "ServicesResolved", at: Harness.device) == .bool(true))
            let reading = try await harness.call("AcquireNotify", at: Harness.echo, [.properties([:])])
            let writing = try await harness.call("AcquireWrite", at: Harness.echo, [.properties([:])])
            #expect(reading[1] == .uint16(247) && writing[1] == .uint16(247))
            let (source, sink) = (try #require(reading[0].descriptor), try #require(writing[0].descriptor))
            #expect(send(sink.number, [6, 7] as [UInt8], 2, 0) == 2)
            var entry = pollfd(fd: source.number, events: CShort(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 10_000) == 1)
            var buffer = [UInt8](repeating: 0, count: 16)
            #expect(recv(source.number, &buffer, 16, 0) == 2 && buffer[..<2] == [6, 7])
            #expect(try await harness.wait(for: "NotifyAcquired", at: Harness.echo) == .bool(true))
            await harness.server.perform(line: "drop tester")
            #expect(try await harness.wait(for: "NotifyAcquired", at: Harness.echo) == .bool(false))
        }
    }

    @Test("The agent is called, and its answer decides the pairing")
    func pairing() async throws {
        try await withStage(asksAgent: true) { harness in
            let path: ObjectPath = "/agent"
            try await harness.client.export(
                [
                    Interface(
                        BlueZName.agent,
                        methods: [
                            .immediate("RequestAuthorization", takes: "o") { call in
                                guard call.arguments == [.objectPath(Harness.device)] else {
                                    throw DBusError(name: "org.bluez.Error.Rejected", message: "")
                                }
                                return []
                            }
                        ])
                ], at: path)
            _ = try await harness.call(
                "RegisterAgent", at: "/org/bluez", [.objectPath(path), .string("NoInputNoOutput")])
            _ = try await harness.call("StartDiscovery", at: "/org/bluez/hci0")
            try await harness.waitForObject(Harness.device)
            _ = try await harness.call("Pair", at: Harness.device)
            #expect(try await harness.wait(for: "Paired", at: Harness.device) == .bool(true))
            let error = await #expect(throws: DBusError.self) {
                try await harness.call("Pair", at: Harness.device)
            }
            #expect(error?.name == "org.bluez.Error.AuthenticationFailed")
        }
    }

    @Test("When a client leaves the bus, all its state is removed")
    func clientLeaves() async throws {
        try await withStage { harness in
            let second = try await Connection.open(harness.bus, loop: harness.loop)
            _ = try await second.call(
                "StartDiscovery", of: BlueZName.adapter, at: "/org/bluez/hci0", on: BlueZName.service)
            #expect(try await harness.wait(for: "Discovering", at: "/org/bluez/hci0") == .bool(true))
            await second.close()
            #expect(try await harness.wait(for: "Discovering", at: "/org/bluez/hci0") == .bool(false))
        }
    }

    @Test("A property is set through the bus, and the change is signaled")
    func setPowered() async throws {
        try await withStage { harness in
            for isOn in [false, true] {
                _ = try await harness.client.call(
                    "Set", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0",
                    on: BlueZName.service,
                    .string(BlueZName.adapter), .string("Powered"), .variant(.bool(isOn)))
                #expect(try await harness.wait(for: "Powered", at: "/org/bluez/hci0") == .bool(isOn))
            }
        }
    }
}
