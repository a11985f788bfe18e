import Bluetooth
import DBus
import EventLoop
import HostTesting
import Synchronization
import Testing

@testable import BlueZ

@Suite("bluetoothd and its adapters, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct ServiceTests {
    static let belt = BlueZScope.belt

    @Test("After a restart of bluetoothd the link is lost, and discovery and the agent are restored")
    func killedAndBack() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            _ = await scope.client.startDiscovery()
            try await scope.add()
            let log = LinkLog()
            let link = try await scope.client.connect(Self.belt, handler: log.handler)
            await fake.on("WriteValue") { _, _, _ in }
            async let write: Void = link.write([1], to: BlueZScope.command)
            await fake.waitForCall("char0012 WriteValue")
            await fake.vanish()
            #expect(await log.next(1) == [.lost(reason: "bluetoothd has stopped")])
            await scope.events.next { $0 == .serviceLost(reason: "bluetoothd has stopped") }
            do {
                try await write
                Issue.record("written without bluetoothd")
            } catch let error as BlueZError {
                #expect(error.code == .notConnected)
            }
            let away = await scope.connectError()
            #expect(away?.code == .serviceAway)

            let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
            await scope.events.next { $0 == .serviceReady }
            await back.waitForCall("hci0 StartDiscovery")
            await back.waitForCall("bluez RegisterAgent")
            try await back.addDevice(Self.belt)
            await scope.events.heard(Self.belt)
            try await scope.connect()
            await back.vanish()
        }
    }

    @Test("An absent adapter in the settings is reported, and reported again when it appears")
    func absent() async throws {
        try await withBlueZ({ $0.adapters = ["hci7"] }) { scope in
            await scope.events.next { $0 == .adaptersAbsent(["hci7"]) }
            try await scope.fake.addDevice(Self.belt)
            let error = await scope.connectError()
            #expect(error?.code == .noAdapter)
            #expect(
                error?.reason == "there is no usable adapter; not present, but in bluetooth.adapters: hci7")
            try await scope.fake.addAdapter("hci7", address: "02:B1:7E:00:00:07")
            await scope.events.next { $0 == .adaptersAbsent([]) }
            await scope.events.next { $0 == .adapterReady("hci7") }
        }
    }

    @Test("After a restart of the bus the client reconnects to bluetoothd and restarts discovery")
    func busKilledAndBack() async throws {
        try await withBlueZ { scope in
            _ = await scope.client.startDiscovery()
            scope.bus.stop()
            await scope.events.next { if case .serviceLost = $0 { true } else { false } }
            try scope.bus.start()
            let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
            await scope.events.next { $0 == .serviceReady }
            await back.waitForCall("hci0 StartDiscovery")
            await back.vanish()
        }
    }

    @Test("A crash of bluetoothd during Connect is reported as such, not as an unreachable device")
    func diesDuringConnect() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            await fake.on("Connect") { _, _, _ in }
            let client = scope.client
            async let connecting = client.connect(Self.belt) { _ in }
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

    @Test("An adapter that is switched off and on is reported, and its discovery restarts")
    func powerCycle() async throws {
        try await withBlueZ { scope in
            _ = await scope.client.startDiscovery()
            await scope.fake.waitForCall("hci0 StartDiscovery")
            await scope.fake.set(["Powered": .bool(false)], ofAdapter: "hci0")
            await scope.events.next { $0 == .adapterLost("hci0") }
            await scope.fake.set(["Powered": .bool(true)], ofAdapter: "hci0")
            await scope.fake.waitForCall("hci0 StartDiscovery", count: 2)
            #expect(await !scope.fake.calls.contains("hci0 StopDiscovery"))
        }
    }

    @Test("The link of a switched-off adapter ends with that reason")
    func switchedOff() async throws {
        try await withLink { scope, _, log in
            await scope.fake.set(["Powered": .bool(false)], ofAdapter: "hci0")
            #expect(await log.next(1) == [.lost(reason: "the adapter was switched off")])
        }
    }

    @Test("The links of an unplugged adapter are lost, and a plugged-in adapter is used")
    func unplugged() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            let log = LinkLog()
            _ = try await scope.client.connect(Self.belt, handler: log.handler)
            await fake.remove(FakeBlueZ.adapter("hci0"))
            let lost = await log.next(1)
            #expect(lost.count == 1)
            try await fake.addAdapter("hci0")
            await scope.events.next { if case .adapterReady = $0 { true } else { false } }
            try await scope.add(hasServices: false)
            try await scope.connect()
        }
    }

    @Test("Discovery is retried after a refusal, and NotReady for a stop is harmless")
    func discoveryRefused() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            await fake.on("StartDiscovery") { fake, call, answer in
                guard fake.calls.count(where: { $0 == "hci0 StartDiscovery" }) < 3 else {
                    return fake.perform(call, answer)
                }
                answer.refuse("NotReady", "Resource Not Ready")
            }
            await fake.on("StopDiscovery") { _, _, answer in
                answer.refuse("NotReady", "Resource Not Ready")
            }
            let token = await scope.client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery", count: 3)
            let second = await scope.client.startDiscovery()
            await token.end()
            await token.end()
            #expect(await !fake.calls.contains("hci0 StopDiscovery"), "one token still lives")
            await second.end()
            await fake.waitForCall("hci0 StopDiscovery")
            _ = await scope.client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery", count: 4)
        }
    }

    /// Returns the filters of the discovery starts: whether each is the second one, with -126 dBm instead of -127.
    private func filters(_ fake: FakeBlueZ) async -> [Bool] {
        await zip(fake.calls, fake.arguments).compactMap { call, arguments in
            call == "hci0 SetDiscoveryFilter" ? arguments.first?.properties?["RSSI"] == .int16(-126) : nil
        }
    }

    @Test("A stop of discovery that the kernel refuses is followed by a start with the other filter")
    func stopRefused() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            await fake.on("StopDiscovery") { _, _, answer in
                answer.refuse("InProgress", "Operation already in progress")
            }
            let token = await scope.client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery")
            await token.end()
            await fake.waitForCall("hci0 StopDiscovery")
            _ = await scope.client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery", count: 2)
            #expect(await filters(fake) == [false, true])
        }
    }

    @Test("Discovery without advertisements restarts with the other filter; with advertisements it continues")
    func silence() async throws {
        try await withBlueZ({ $0.limits.silence = .milliseconds(100) }) { scope in
            let fake = scope.fake
            _ = await scope.client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery", count: 3)
            #expect(await filters(fake).prefix(3) == [false, true, false])
        }
    }

    @Test("Only the configured adapters are used, and a device is reported once, by the best of them")
    func configuredAdapters() async throws {
        try await withBlueZ(adapters: ["hci0", "hci1", "hci2"], { $0.adapters = ["hci1", "hci2"] }) { scope in
            let fake = scope.fake
            _ = await scope.client.startDiscovery()
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
            let link = try await scope.connect()
            #expect(link.adapter == "hci2")
        }
    }

    @Test("A new listener receives the current state before the call returns")
    func knownFirst() async throws {
        try await withBlueZ { scope in
            try await scope.add(hasServices: false)
            let events = Mutex<[String]>([])
            await scope.client.onEvent { event in
                let word =
                    switch event {
                    case .serviceReady: "service"
                    case .adapterReady(let adapter): adapter
                    case .heard(let advertisement, _): advertisement.name ?? ""
                    default: "?"
                    }
                events.withLock { $0.append(word) }
            }
            #expect(events.withLock { $0 } == ["service", "hci0", "Belt"])
            let description = await scope.client.describe()
            #expect(description.version == "5.66")
            #expect(description.isRunning)
        }
    }
}
