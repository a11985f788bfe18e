import Bluetooth
import BridgeTesting
import DBus
import EventLoop
import Testing

@testable import BlueZ

@Suite("Bonding and the pairing agent, against a scripted bluetoothd", .timeLimit(.minutes(1)))
struct AgentTests {
    static let belt = BlueZScope.belt

    @Test("The agent is registered as the default one, again if its manager comes late")
    func agentRegistered() async throws {
        try await withBlueZ { scope in
            await scope.fake.waitForCall("bluez RequestDefaultAgent")
            let call = await scope.fake.arguments(of: "bluez RegisterAgent")
            #expect(call == [.objectPath("/tactile_bridge/agent"), .string("NoInputNoOutput")])
            await scope.fake.vanish()
            await scope.events.next { $0 == .serviceLost(reason: "bluetoothd is gone") }
            let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
            await back.on("RegisterAgent") { fake, _, answer in
                guard fake.calls.count(where: { $0 == "bluez RegisterAgent" }) > 1 else {
                    return answer.fail(DBusError(name: DBusError.Name.unknownMethod, message: "not yet"))
                }
                answer.succeed()
            }
            // The first try may have come before the script.
            await back.waitForCall("bluez RequestDefaultAgent")
            await back.vanish()
        }
    }

    @Test("A program that is held to some adapters does not answer for the others")
    func notDefaultAgent() async throws {
        try await withBlueZ({ $0.adapters = ["hci0"] }) { scope in
            await scope.fake.waitForCall("bluez RegisterAgent")
            // Answered after the registration, so whatever followed it has been called by then.
            _ = await scope.daemon.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery")
            #expect(await !scope.fake.calls.contains("bluez RequestDefaultAgent"))
        }
    }

    @Test("A program that only looks registers no agent, and still hears of devices")
    func noAgent() async throws {
        try await withBlueZ({ $0.answersPairing = false }) { scope in
            _ = await scope.daemon.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery")
            #expect(await !scope.fake.calls.contains("bluez RegisterAgent"))
            try await scope.fake.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
            #expect(await scope.daemon.devices().map(\.advertisement.address) == [Self.belt])
        }
    }

    @Test("A device that this program pairs may bond, and is trusted then")
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
            try await scope.daemon.pair(Self.belt)
            let trusted = await fake.connection.property(
                "Trusted", of: Names.device, at: FakeBlueZ.device(Self.belt))
            #expect(trusted == .bool(true))
        }
    }

    @Test("A bond that is refused is an error with BlueZ's words")
    func pairingFails() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(Self.belt)
            await scope.fake.on("Pair") { _, _, answer in
                answer.fail(
                    DBusError(name: "org.bluez.Error.AuthenticationFailed", message: "Authentication Failed"))
            }
            await scope.events.heard(Self.belt)
            let error = await #expect(throws: BlueZError.self) { try await scope.daemon.pair(Self.belt) }
            #expect(error?.code == .pairingFailed)
        }
    }

    @Test(
        "The agent answers as the policy says, and cannot type",
        arguments: [
            ("RequestAuthorization", [], true), ("RequestConfirmation", [.uint32(123_456)], true),
            ("DisplayPasskey", [.uint32(42), .uint16(0)], true), ("DisplayPinCode", [.string("0000")], true),
            ("AuthorizeService", [.string("00001124-0000-1000-8000-00805f9b34fb")], true),
            ("RequestPasskey", [], false), ("RequestPinCode", [], false),
        ] as [(String, [Value], Bool)])
    func policy(question: String, arguments: [Value], isAllowed: Bool) async throws {
        try await withBlueZ({ settings in
            settings.pairingPolicy = { address, _ in address == Self.belt }
        }) { scope in
            for address in [Self.belt, BlueZScope.robot] { try await scope.fake.addDevice(address) }
            await scope.events.heard(BlueZScope.robot)
            let agent = await scope.agentName()
            for (address, expected) in [(Self.belt, isAllowed), (BlueZScope.robot, false)] {
                let error = await scope.fake.answer(
                    agent, question, [.objectPath(FakeBlueZ.device(address))] + arguments)
                #expect((error == nil) == expected)
                if let error { #expect(error.name == "org.bluez.Error.Rejected") }
            }
        }
    }

    @Test("Only bluetoothd may ask the agent")
    func strangers() async throws {
        try await withBlueZ({ $0.pairingPolicy = { _, _ in true } }) { scope in
            try await scope.fake.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
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
            // Heard after both objects of the belt.
            try await scope.fake.addDevice(BlueZScope.robot)
            await scope.events.heard(BlueZScope.robot)
            try await scope.daemon.forget(Self.belt)
            await scope.events.next { $0 == .forgotten(Self.belt) }
            try await scope.daemon.forget(Self.belt)
            #expect(await scope.fake.calls.count { $0.hasSuffix("RemoveDevice") } == 2)
        }
    }
}

extension BlueZScope {
    /// The unique name of the connection that has the agent, once it is registered.
    func agentName() async -> String {
        await fake.waitForCall("bluez RequestDefaultAgent")
        return await daemon.busName
    }
}

extension Daemon {
    fileprivate var busName: String { connection?.uniqueName ?? "" }
}

extension FakeBlueZ {
    static let refusal = DBusError(name: "org.bluez.Error.AuthenticationRejected", message: "Rejected")

    func arguments(of call: String) -> [Value]? { zip(calls, arguments).first { $0.0 == call }?.1 }

    /// Asks the agent something, as bluetoothd does.
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
