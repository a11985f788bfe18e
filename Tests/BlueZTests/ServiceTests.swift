import Bluetooth
import BridgeTesting
import DBus
import EventLoop
import Testing

@testable import BlueZ

@Suite("bluetoothd, adapters and bonding, against a scripted bluetoothd", .timeLimit(.minutes(1)))
struct ServiceTests {
    static let belt = BlueZScope.belt

    @Test("bluetoothd killed and back: the link is lost, discovery and the agent are taken up again")
    func killedAndBack() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            _ = await scope.daemon.startDiscovery()
            try await fake.addDevice(Self.belt)
            try await fake.addService(BlueZScope.service, BlueZScope.table, of: Self.belt)
            await scope.events.heard(Self.belt)
            let log = LinkLog()
            let link = try await scope.daemon.connect(Self.belt, handler: log.handler)
            await fake.on("WriteValue") { _, _, _ in }
            async let write: Void = link.write([1], to: BlueZScope.command)
            await fake.waitForCall("char0012 WriteValue")
            await fake.vanish()
            #expect(await log.next(1) == [.lost(reason: "bluetoothd is gone")])
            await scope.events.next { $0 == .serviceLost(reason: "bluetoothd is gone") }
            do {
                try await write
                Issue.record("written without bluetoothd")
            } catch let error as BlueZError {
                #expect(error.code == .notConnected)
            }
            let away = await #expect(throws: BlueZError.self) {
                try await scope.daemon.connect(Self.belt) { _ in }
            }
            #expect(away?.code == .serviceAway)

            let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
            await scope.events.next { $0 == .serviceReady }
            await back.waitForCall("hci0 StartDiscovery")
            await back.waitForCall("bluez RequestDefaultAgent")
            try await back.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
            _ = try await scope.daemon.connect(Self.belt) { _ in }
            await back.vanish()
        }
    }

    @Test("The bus killed and back")
    func busKilledAndBack() async throws {
        try await withBlueZ { scope in
            _ = await scope.daemon.startDiscovery()
            scope.bus.stop()
            await scope.events.next { if case .serviceLost = $0 { true } else { false } }
            try scope.bus.start()
            let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
            await scope.events.next { $0 == .serviceReady }
            await back.waitForCall("hci0 StartDiscovery")
            await back.vanish()
        }
    }

    @Test("bluetoothd that dies during Connect is away, not the device")
    func diesDuringConnect() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await fake.addDevice(Self.belt)
            await fake.on("Connect") { _, _, _ in }
            await scope.events.heard(Self.belt)
            let daemon = scope.daemon
            async let connecting = daemon.connect(Self.belt) { _ in }
            await fake.waitForCall("dev_C0_00_00_00_00_01 Connect")
            await fake.vanish()
            do {
                _ = try await connecting
                Issue.record("connected without bluetoothd")
            } catch let error as BlueZError {
                #expect(error.code == .serviceAway)
            }
        }
    }

    @Test("An adapter that goes off and on is told, and discovery is started anew")
    func powerCycle() async throws {
        try await withBlueZ { scope in
            _ = await scope.daemon.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery")
            await scope.fake.set(["Powered": .bool(false)], ofAdapter: "hci0")
            await scope.events.next {
                $0 == .adapterLost(name: "hci0", reason: "the adapter was switched off")
            }
            await scope.fake.set(["Powered": .bool(true)], ofAdapter: "hci0")
            await scope.fake.waitForCall("hci0 StartDiscovery", count: 2)
            #expect(await !scope.fake.calls.contains("hci0 StopDiscovery"))
        }
    }

    @Test("An unplugged adapter takes its links with it, a plugged one is used")
    func unplugged() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await fake.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
            let log = LinkLog()
            _ = try await scope.daemon.connect(Self.belt, handler: log.handler)
            await fake.remove(FakeBlueZ.adapter("hci0"))
            let lost = await log.next(1)
            #expect(lost.count == 1)
            try await fake.addAdapter("hci0")
            await scope.events.next { if case .adapterReady = $0 { true } else { false } }
            try await fake.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
            _ = try await scope.daemon.connect(Self.belt) { _ in }
        }
    }

    @Test("Discovery that is refused is tried again; NotReady to a stop is harmless")
    func discoveryRefused() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            await fake.on("StartDiscovery") { fake, call, answer in
                guard fake.calls.count(where: { $0 == "hci0 StartDiscovery" }) < 3 else {
                    return fake.perform(call, answer)
                }
                answer.fail(DBusError(name: "org.bluez.Error.NotReady", message: "Resource Not Ready"))
            }
            await fake.on("StopDiscovery") { _, _, answer in
                answer.fail(DBusError(name: "org.bluez.Error.NotReady", message: "Resource Not Ready"))
            }
            let token = await scope.daemon.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery", count: 3)
            let second = await scope.daemon.startDiscovery()
            await token.end()
            await token.end()
            #expect(await !fake.calls.contains("hci0 StopDiscovery"), "one token still lives")
            await second.end()
            await fake.waitForCall("hci0 StopDiscovery")
            _ = await scope.daemon.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery", count: 4)
        }
    }

    @Test("Only the configured adapters are used, and a device is told once, by the best of them")
    func configuredAdapters() async throws {
        try await withBlueZ(adapters: ["hci0", "hci1", "hci2"], { $0.adapters = ["hci1", "hci2"] }) { scope in
            let fake = scope.fake
            _ = await scope.daemon.startDiscovery()
            await fake.waitForCall("hci2 StartDiscovery")
            await fake.waitForCall("hci1 StartDiscovery")
            #expect(await !fake.calls.contains("hci0 StartDiscovery"))
            try await fake.addDevice(Self.belt, rssi: -30, adapter: "hci0")
            try await fake.addDevice(Self.belt, rssi: -60, adapter: "hci1")
            try await fake.addDevice(Self.belt, rssi: -50, adapter: "hci2")
            try await fake.addDevice(BlueZScope.robot, adapter: "hci1")
            await scope.events.heard(BlueZScope.robot)
            let adapters = await scope.events.seen.compactMap { event in
                if case .heard(let advertisement, let adapter) = event, advertisement.address == Self.belt {
                    adapter
                } else {
                    nil
                }
            }
            #expect(adapters == ["hci1", "hci2"])
            let link = try await scope.daemon.connect(Self.belt) { _ in }
            #expect(link.adapter == "hci2")
        }
    }

    @Test("Discovery that bluetoothd agrees to and does not do is started again")
    func discoveryNotDone() async throws {
        try await withBlueZ { scope in
            await scope.fake.on("StartDiscovery") { fake, call, answer in
                guard fake.calls.count(where: { $0 == "hci0 StartDiscovery" }) > 1 else {
                    return answer.succeed()
                }
                fake.perform(call, answer)
            }
            _ = await scope.daemon.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery", count: 2)
        }
    }

    @Test("What is known comes first in a stream of events")
    func knownFirst() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
            var events: [String] = []
            for await event in await scope.daemon.events() {
                switch event {
                case .serviceReady: events.append("service")
                case .adapterReady(let adapter): events.append(adapter.name)
                case .heard(let advertisement, _): events.append(advertisement.name ?? "")
                default: events.append("?")
                }
                if events.count == 3 { break }
            }
            #expect(events == ["service", "hci0", "Belt"])
            let description = await scope.daemon.describe()
            #expect(description.version == "5.66")
            #expect(description.isRunning)
        }
    }

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
