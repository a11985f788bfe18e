import Bluetooth
import DBus
import EventLoop
import HostTesting
import Logging
import Testing

@testable import BlueZ

@Suite("Adapters whose names the program may not own", .timeLimit(.minutes(1)))
struct DeniedLeaseTests {
    static let belt = BlueZScope.belt
    static let name = LeaseScope.name
    static let forbidden = PrivateBus.namePolicy(forbidding: "org.tactilebridge.Adapter")

    @Test("Adapters without an owner are used anyway, which is logged once")
    func unguarded() async throws {
        try await withLeases(policy: Self.forbidden) { scope in
            let record = LogRecord()
            try await scope.withBridge(record: record) { _, events in
                await events.ready()
                await scope.fake.remove(FakeBlueZ.adapter("hci0"))
                try await scope.fake.addAdapter("hci0")
                await events.ready()
                #expect(record.count(.warning, "does not allow this user to own adapter names") == 1)
            }
        }
    }

    @Test("The client waits for the owner of an adapter")
    func waits() async throws {
        try await withLeases { scope in
            let holder = try await scope.makeHolder()
            try await scope.setPolicy(Self.forbidden, holder)
            try await scope.withBridge { client, events in
                _ = await client.startDiscovery()
                #expect(await events.held()?.hasSuffix(", \(holder.uniqueName))") == true)
                #expect(await scope.fake.calls == [])
                await holder.close()
                await events.ready()
                await scope.fake.waitForCall("hci0 StartDiscovery")
            }
        }
    }

    @Test("A later owner gets the adapter: discovery and the agent stop, and links can still be closed")
    func yields() async throws {
        try await withLeases(policy: Self.forbidden) { scope in
            try await scope.fake.addDevice(Self.belt)
            try await scope.fake.addService(BlueZScope.service, BlueZScope.table, of: Self.belt)
            try await scope.withBridge { client, events in
                await events.heard(Self.belt)
                let log = LinkLog()
                let link = try await client.connect(Self.belt, handler: log.handler)
                _ = await client.startDiscovery()
                await scope.fake.waitForCall("hci0 StartDiscovery")

                let other = try await Connection.open(scope.bus.address, loop: scope.loop)
                try await scope.setPolicy(nil, other)
                // The bridge could own the name by now, but does not know that.
                #expect(try await other.requestName(Self.name) == .primaryOwner)
                #expect(await events.held()?.hasSuffix(", \(other.uniqueName))") == true)
                await scope.fake.waitForCall("hci0 StopDiscovery")
                await scope.fake.waitForCall("bluez UnregisterAgent")
                try await link.write([1], to: BlueZScope.command)
                await link.disconnect()
                #expect(await log.next(1) == [.lost(reason: "disconnected by this bridge")])
                await #expect(throws: BlueZError.self) { try await client.connect(Self.belt) { _ in } }
                #expect(
                    await events.seen.allSatisfy { if case .adapterLost = $0 { false } else { true } },
                    "links would be lost with the adapter")
                await other.close()
                await events.ready()
                await scope.fake.waitForCall("hci0 StartDiscovery", count: 2)
            }
        }
    }
}
