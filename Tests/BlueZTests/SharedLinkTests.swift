import Bluetooth
import DBus
import Synchronization
import Testing

@testable import BlueZ

@Suite("Links that the system uses too", .timeLimit(.minutes(1)))
struct SharedLinkTests {
    private static let keyboard: Bluetooth.Address = "C0:00:00:00:00:03"
    private static let needs = LinkRequirements(required: [BlueZScope.value], isInputDevice: true)

    private func withKeyboard(
        isPaired: Bool, _ body: @escaping @Sendable (BlueZScope, Link, LinkLog) async throws -> Void
    ) async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(Self.keyboard, isPaired: isPaired, isConnected: true)
            try await scope.fake.addService(BlueZScope.service, BlueZScope.table, of: Self.keyboard)
            await scope.events.heard(Self.keyboard)
            let log = LinkLog()
            let link = try await scope.client.connect(
                Self.keyboard, requirements: Self.needs, handler: log.handler)
            try await link.subscribe(BlueZScope.value)
            try await body(scope, link, log)
        }
    }

    @Test("A link left to the system stays up without subscriptions, and can be taken over again")
    func left() async throws {
        try await withKeyboard(isPaired: true) { scope, link, log in
            await link.disconnect()
            #expect(await log.next(1) == [.lost(reason: "left connected for the host by this bridge")])
            await scope.events.heard(Self.keyboard)
            let calls = await scope.fake.calls
            #expect(calls.contains("char0011 StopNotify"))
            #expect(!calls.contains { $0.hasSuffix(" Disconnect") || $0.hasSuffix(" Connect") })
            await #expect(throws: BlueZError.self) { try await link.read(BlueZScope.value) }
            let again = try await scope.client.connect(
                Self.keyboard, requirements: Self.needs, handler: LinkLog().handler)
            #expect(try await again.read(BlueZScope.value) == [7])
        }
    }

    @Test("A left link is reported again on request while the device is connected")
    func mentioned() async throws {
        try await withKeyboard(isPaired: true) { scope, link, _ in
            await link.disconnect()
            await scope.events.heard(Self.keyboard)
            await scope.client.replayIfConnected(Self.keyboard)
            await scope.events.heard(Self.keyboard)
            await scope.fake.set(["Connected": .bool(false)], ofDevice: FakeBlueZ.device(Self.keyboard))
            await scope.events.heard(Self.keyboard)
            let told = Mutex(0)
            await scope.client.onEvent { _ in told.withLock { $0 += 1 } }
            let known = told.withLock { $0 }
            await scope.client.replayIfConnected(Self.keyboard)
            #expect(told.withLock { $0 } == known)
        }
    }

    @Test("A request reports every connected or bonded device, and no other device")
    func known() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(Self.keyboard, rssi: nil, isPaired: true, isConnected: true)
            try await scope.fake.addDevice(BlueZScope.belt, rssi: nil, isPaired: true)
            try await scope.add(BlueZScope.robot, hasServices: false)
            let told = Mutex<[Bluetooth.Address]>([])
            await scope.client.onEvent { event in
                if case .heard(let advertisement, _) = event {
                    told.withLock { $0.append(advertisement.address) }
                }
            }
            told.withLock { $0 = [] }
            await scope.client.replayKnown()
            #expect(told.withLock { $0 } == [BlueZScope.belt, Self.keyboard])
        }
    }

    @Test("A connected device is reported again when its adapter returns, even if unchanged")
    func adapterBack() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(Self.keyboard, rssi: nil, isPaired: true, isConnected: true)
            await scope.events.heard(Self.keyboard)
            await scope.fake.set(["Powered": .bool(false)], ofAdapter: "hci0")
            await scope.events.next { $0 == .adapterLost("hci0") }
            await scope.fake.set(["Powered": .bool(true)], ofAdapter: "hci0")
            await scope.events.next { $0 == .adapterReady("hci0") }
            await scope.events.heard(Self.keyboard)
        }
    }

    @Test("A link without a bond is closed, because the system does not use it")
    func closed() async throws {
        try await withKeyboard(isPaired: false) { scope, link, _ in
            await link.disconnect()
            #expect(await scope.fake.calls.contains { $0.hasSuffix(" Disconnect") })
        }
    }
}
