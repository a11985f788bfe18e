import Bluetooth
import DBus
import EventLoop
import HostTesting
import Testing

@testable import BlueZ

@Suite("Bonding and the pairing agent, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct AgentTests {
    static let belt = BlueZScope.belt
    /// A device that may bond, such as a keyboard with its own service.
    static let bonding = LinkRequirements(
        required: [], optional: [BlueZScope.value], bonding: .onDemand, isInputDevice: true)
    private static let agentCalls: Set<String> = [
        "bluez RegisterAgent", "bluez RequestDefaultAgent", "bluez UnregisterAgent",
    ]

    @Test("The agent is registered, not as the default agent, and again if its manager appears late")
    func agentRegistered() async throws {
        try await withBlueZ { scope in
            await scope.fake.waitForCall("bluez RegisterAgent")
            let call = await scope.fake.arguments(of: "bluez RegisterAgent")
            #expect(call == [.objectPath("/tactile_bridge/agent"), .string("NoInputNoOutput")])
            // The answer follows the registration, so any call after the registration has been made by then.
            _ = await scope.client.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery")
            #expect(await !scope.fake.calls.contains("bluez RequestDefaultAgent"))
            await scope.fake.vanish()
            await scope.events.next { $0 == .serviceLost(reason: "bluetoothd has stopped") }
            let back = try await FakeBlueZ.start(
                on: scope.bus.address, loop: scope.loop,
                scripts: [
                    "RegisterAgent": { fake, _, answer in
                        let isFirst = fake.calls.count { $0 == "bluez RegisterAgent" } == 1
                        let late = DBusError(name: DBusError.Name.unknownMethod, message: "not yet")
                        if isFirst { answer.fail(late) } else { answer.succeed() }
                    }
                ])
            await back.waitForCall("bluez RegisterAgent", count: 2)
            await back.vanish()
        }
    }

    @Test(
        "The agent is the default agent only from the connection of a device that may bond until it is ready"
    )
    func defaultAgent() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            await fake.waitForCall("bluez RegisterAgent")
            let link = try await scope.connect(requirements: Self.bonding)
            let connected = await fake.calls(among: Self.agentCalls.union(["dev_C0_00_00_00_00_01 Connect"]))
            #expect(
                connected == [
                    "bluez RegisterAgent", "bluez RequestDefaultAgent", "dev_C0_00_00_00_00_01 Connect",
                ])
            await link.settle()
            await fake.waitForCall("bluez RegisterAgent", count: 2)
            #expect(
                await fake.calls(among: Self.agentCalls).suffix(2) == [
                    "bluez UnregisterAgent", "bluez RegisterAgent",
                ])
            // The device is bonded, and then its bond is removed: it may bond again.
            await fake.set(["Paired": .bool(true)], ofDevice: FakeBlueZ.device(Self.belt))
            await fake.set(["Paired": .bool(false)], ofDevice: FakeBlueZ.device(Self.belt))
            await fake.waitForCall("bluez RequestDefaultAgent", count: 2)
            await fake.set(["Paired": .bool(true)], ofDevice: FakeBlueZ.device(Self.belt))
            await fake.waitForCall("bluez UnregisterAgent", count: 2)
            await link.disconnect()
        }
    }

    @Test("A failed link and a device that never bonds do not make the agent the default agent")
    func notDefaultAgent() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            for address in [Self.belt, BlueZScope.robot] { try await fake.addDevice(address) }
            await scope.events.heard(BlueZScope.robot)
            await fake.waitForCall("bluez RegisterAgent")
            try await scope.connect(BlueZScope.robot)
            #expect(await fake.calls(among: Self.agentCalls) == ["bluez RegisterAgent"])
            await fake.on("dev_C0_00_00_00_00_01 Connect") { _, _, answer in
                answer.refuse("Failed", "no")
            }
            await #expect(throws: BlueZError.self) {
                try await scope.connect(requirements: Self.bonding)
            }
            await fake.waitForCall("bluez RegisterAgent", count: 2)
            #expect(
                await fake.calls(among: Self.agentCalls) == [
                    "bluez RegisterAgent", "bluez RequestDefaultAgent", "bluez UnregisterAgent",
                    "bluez RegisterAgent",
                ])
        }
    }

    @Test("A program that only observes registers no agent, and still receives devices")
    func noAgent() async throws {
        try await withBlueZ({ $0.answersPairing = false }) { scope in
            _ = await scope.client.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery")
            #expect(await !scope.fake.calls.contains("bluez RegisterAgent"))
            try await scope.add(hasServices: false)
            #expect(await scope.client.devices().map(\.advertisement.address) == [Self.belt])
        }
    }

    @Test("A device paired by this program may bond, and is then trusted")
    func pairs() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await fake.addDevice(Self.belt)
            let agent = await scope.agentName()
            await fake.on("Pair") { fake, call, answer in
                fake.ask(agent, "RequestAuthorization", [.objectPath(call.path)]) { error in
                    if error == nil {
                        fake.assumeIsolated { $0.perform(call, answer) }
                    } else {
                        answer.fail(FakeBlueZ.refusal)
                    }
                }
            }
            await scope.events.heard(Self.belt)
            try await scope.client.pair(Self.belt)
            let trusted = await fake.connection.property(
                "Trusted", of: Names.device, at: FakeBlueZ.device(Self.belt))
            #expect(trusted == .bool(true))
        }
    }

    @Test("A rejected bond is reported as an error with BlueZ's message")
    func pairingFails() async throws {
        try await withBlueZ { scope in
            try await scope.add(hasServices: false)
            await scope.fake.on("Pair") { _, _, answer in
                answer.refuse("AuthenticationFailed")
            }
            let error = await #expect(throws: BlueZError.self) { try await scope.client.pair(Self.belt) }
            #expect(error?.code == .pairingFailed)
        }
    }

    @Test("A device that turns out to be an input device is bonded, but not trusted, and its link is closed")
    func inputDevice() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            await fake.on("Pair") { fake, call, answer in
                fake.set(["Connected": .bool(true), "Paired": .bool(true)], ofDevice: call.path)
                answer.succeed()
                // The services become known after the bond.
                fake.set(
                    [
                        "UUIDs": .strings([UUID(0xFE51).description, UUID(0x1124).description]),
                        "ServicesResolved": .bool(true),
                    ], ofDevice: call.path)
            }
            let error = await #expect(throws: BlueZError.self) {
                let needs = LinkRequirements(required: [BlueZScope.value], bonding: .onDemand)
                try await scope.client.pair(Self.belt, requirements: needs)
            }
            #expect(error?.code == .inputDevice)
            let calls = await fake.calls
            #expect(calls.contains("dev_C0_00_00_00_00_01 Disconnect"))
            let trusted = await fake.connection.property(
                "Trusted", of: Names.device, at: FakeBlueZ.device(Self.belt))
            #expect(trusted == .bool(false))
        }
    }

    @Test("An input service discovered later is reported, whether bluetoothd lists it or exports it")
    func services() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            let (told, input) = AsyncStream.makeStream(of: Set<UUID>.self)
            let link = try await scope.client.connect(Self.belt) { event in
                if case .services(let services) = event { input.yield(services) }
            }
            #expect(link.profile.services == [])
            await fake.set(
                ["UUIDs": .strings([UUID(0x1812).description])], ofDevice: FakeBlueZ.device(Self.belt))
            var services = told.makeAsyncIterator()
            #expect(await services.next() == [0x1812])
            try await fake.addService(0x1124, [], of: Self.belt)
            #expect(await services.next() == [0x1812, 0x1124])
        }
    }

    @Test(
        "The agent agrees for a connected device that may bond and to its services, and provides no codes",
        arguments: [
            ("RequestAuthorization", [], true), ("RequestConfirmation", [.uint32(123_456)], true),
            ("DisplayPasskey", [.uint32(42), .uint16(0)], true), ("DisplayPinCode", [.string("0000")], true),
            ("AuthorizeService", [.string(UUID(0x1812).description)], true),
            ("AuthorizeService", [.string(UUID(0x1124).description)], false),
            ("RequestPasskey", [], false), ("RequestPinCode", [], false),
        ] as [(String, [Value], Bool)])
    func answers(question: String, arguments: [Value], isAllowed: Bool) async throws {
        try await withBlueZ { scope in
            let (held, plain, other): (Bluetooth.Address, Bluetooth.Address, Bluetooth.Address) = (
                Self.belt, BlueZScope.robot, "C0:00:00:00:00:03"
            )
            for address in [held, plain, other] { try await scope.fake.addDevice(address) }
            await scope.events.heard(other)
            // The host's trust has no influence.
            await scope.fake.set(["Trusted": .bool(true)], ofDevice: FakeBlueZ.device(other))
            try await scope.connect(held, requirements: Self.bonding)
            try await scope.connect(plain)
            let agent = await scope.agentName()
            for (address, expected) in [(held, isAllowed), (plain, false), (other, false)] {
                let error = await scope.fake.answer(
                    agent, question, [.objectPath(FakeBlueZ.device(address))] + arguments)
                #expect((error == nil) == expected)
                if let error { #expect(error.name == "org.bluez.Error.Rejected") }
            }
        }
    }

    @Test("Only bluetoothd may call the agent")
    func strangers() async throws {
        try await withBlueZ { scope in
            try await scope.add(hasServices: false)
            try await scope.connect(requirements: Self.bonding)
            let stranger = try await Connection.open(scope.bus.address, loop: scope.loop)
            await #expect(throws: DBusError.self) {
                _ = try await stranger.call(
                    "RequestAuthorization", of: Names.agent, at: "/tactile_bridge/agent",
                    on: await scope.agentName(), .objectPath(FakeBlueZ.device(Self.belt)))
            }
            await stranger.close()
        }
    }

    @Test("A forgotten device is removed from every adapter")
    func forgets() async throws {
        try await withBlueZ(adapters: ["hci0", "hci1"]) { scope in
            for adapter in ["hci0", "hci1"] { try await scope.fake.addDevice(Self.belt, adapter: adapter) }
            // Received after both objects of the belt.
            try await scope.add(BlueZScope.robot, hasServices: false)
            try await scope.client.forget(Self.belt)
            await scope.events.next { $0 == .forgotten(Self.belt) }
            try await scope.client.forget(Self.belt)
            #expect(await scope.fake.calls.count { $0.hasSuffix("RemoveDevice") } == 2)
        }
    }
}

extension BlueZScope {
    /// The unique name of the agent's connection, once the agent is registered.
    func agentName() async -> String {
        await fake.waitForCall("bluez RegisterAgent")
        return await client.busName
    }
}

extension Client {
    fileprivate var busName: String { service.bus?.connection.uniqueName ?? "" }
}

extension FakeBlueZ {
    static let refusal = DBusError(name: "org.bluez.Error.AuthenticationRejected", message: "Rejected")

    func arguments(of call: String) -> [Value]? { zip(calls, arguments).first { $0.0 == call }?.1 }

    /// Calls the agent like bluetoothd.
    func ask(
        _ agent: String, _ question: String, _ arguments: [Value],
        then: @escaping @Sendable (DBusError?) -> Void
    ) {
        let message = Message(
            call: question, of: Names.agent, at: "/tactile_bridge/agent", on: agent, arguments)
        connection.assumeIsolated { connection in
            try? connection.call(message, timeout: .seconds(5)) { result in
                if case .failure(let error) = result {
                    then(error as? DBusError)
                } else {
                    then(nil)
                }
            }
        }
    }

    func answer(_ agent: String, _ question: String, _ arguments: [Value]) async -> DBusError? {
        await withCheckedContinuation { continuation in
            ask(agent, question, arguments) { continuation.resume(returning: $0) }
        }
    }
}
