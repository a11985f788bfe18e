import Bluetooth
import DBus
import Testing

@testable import BlueZ

@Suite("Devices that change their services", .timeLimit(.minutes(1)))
struct ServicesChangedTests {
    private static let belt = BlueZScope.belt
    private static let service = FakeBlueZ.device(belt).appending("service0010")

    private func withLink(
        _ body: @escaping @Sendable (BlueZScope, LinkLog) async throws -> Void
    ) async throws {
        try await BlueZTests.withLink { scope, link, log in
            try await link.subscribe(BlueZScope.value)
            try await body(scope, log)
        }
    }

    @Test("A link is renewed without a disconnect, and its subscriptions are made again")
    func underLink() async throws {
        try await withLink { scope, log in
            await scope.fake.remove(Self.service)
            #expect(await log.next(1) == [.lost(reason: "the device changed its services")])
            await scope.events.heard(Self.belt)
            try await scope.fake.addService(
                BlueZScope.service, BlueZScope.table.reversed(), of: Self.belt)
            let again = LinkLog()
            let link = try await scope.client.connect(
                Self.belt, requirements: ConnectTests.needs, handler: again.handler)
            try await link.subscribe(BlueZScope.value)
            await scope.fake.signal([9], at: FakeBlueZ.characteristic(1, of: Self.belt))
            #expect(await again.next(1) == [.notification(BlueZScope.value, [9])])
            let calls = await scope.fake.calls
            #expect(calls.count { $0.hasSuffix(" Connect") } == 1)
            #expect(!calls.contains { $0.hasSuffix(" Disconnect") || $0.hasSuffix(" RemoveDevice") })
        }
    }

    @Test("A link that is lost at the same time ends with that reason")
    func going() async throws {
        try await withLink { scope, log in
            await Self.go(scope.fake)
            let events = await log.next(1)
            #expect(events != [.lost(reason: "the device changed its services")] && events.count == 1)
        }
    }

    /// Removes a characteristic and the link at the same time.
    private static func go(_ fake: isolated FakeBlueZ) {
        fake.remove(FakeBlueZ.characteristic(0, of: belt))
        fake.set(["Connected": .bool(false)], ofDevice: FakeBlueZ.device(belt))
    }

    @Test("Services that change between links cause the cache to be removed each time")
    func staleTwice() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await fake.addDevice(Self.belt)
            await fake.on("RemoveDevice") { fake, call, answer in
                fake.perform(call, answer)
                try? fake.addDevice(Self.belt)
                try? fake.addService(BlueZScope.service, BlueZScope.table, of: Self.belt)
            }
            for round in 1...2 {
                await scope.events.heard(Self.belt)
                let link = try await scope.connect(requirements: ConnectTests.needs)
                #expect(link.profile.characteristics.count == 2)
                #expect(await fake.calls.count { $0 == "hci0 RemoveDevice" } == round)
                await link.disconnect()
                for index in 0...1 { await fake.remove(FakeBlueZ.characteristic(index, of: Self.belt)) }
                await fake.set(["RSSI": .int16(Int16(-50 - round))], ofDevice: FakeBlueZ.device(Self.belt))
            }
        }
    }
}
