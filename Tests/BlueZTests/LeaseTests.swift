import Bluetooth
import DBus
import EventLoop
import Glibc
import HostTesting
import Logging
import Testing

@testable import BlueZ

@Suite("One program per adapter, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct LeaseTests {
    static let belt = BlueZScope.belt
    static let name = LeaseScope.name

    @Test("The name of an adapter is a bus name that contains its address")
    func names() throws {
        let name = AdapterName.name(of: "00:11:22:33:44:5f")
        #expect(name == "org.tactilebridge.Adapter.A00112233445F")
        #expect(AdapterName.base(of: name) == name)
        for (bridge, isGuardian) in [("attic", false), ("7-of_9", false), ("attic", true)] {
            let sign = AdapterName.sign(of: bridge, isGuardian: isGuardian, at: name)
            #expect(AdapterName.base(of: sign) == name)
            let signer = try #require(AdapterName.signer(of: sign, at: name))
            #expect(signer == (bridge, isGuardian))
        }
        #expect(AdapterName.base(of: "org.tactilebridge.Adapter") == nil)
        #expect(AdapterName.base(of: "org.tactilebridge.AdapterX.A1") == nil)
        #expect(AdapterName.signer(of: name, at: name) == nil)
    }

    @Test("An adapter is used once its name is owned, and its name is released when the bridge ends")
    func owned() async throws {
        try await withLeases { scope in
            let looker = try await Connection.open(scope.bus.address, loop: scope.loop)
            try await scope.withBridge { _, events in
                await events.ready()
                let holder = try await #require(looker.adapterHolder(of: Self.name))
                #expect(holder.bridge == "attic" && !holder.isGuardian)
                #expect(holder.process == Int(getpid()))
                #expect(holder.words.hasPrefix("bridge attic (process \(getpid()), user "))
                await scope.fake.waitForCall("bluez RegisterAgent")
            }
            try await scope.waitForOwner(nil, looker)
        }
    }

    @Test("An adapter of another program is not used until that program ends")
    func waits() async throws {
        try await withLeases { scope in
            let holder = try await scope.makeHolder(sign: "Bcellar")
            try await scope.fake.addDevice(Self.belt)
            try await scope.withBridge { client, events in
                _ = await client.startDiscovery()
                let found = try await #require(events.held())
                #expect(found.hasPrefix("bridge cellar (process \(getpid()), user "))
                #expect(found.hasSuffix(", \(holder.uniqueName))"))
                let error = await #expect(throws: BlueZError.self) {
                    try await client.connect(Self.belt) { _ in }
                }
                #expect(error?.code == .noAdapter)
                #expect(error?.reason.contains("bridge cellar") == true)
                await #expect(throws: BlueZError.self) { try await client.pair(Self.belt) }
                await #expect(throws: BlueZError.self) { try await client.forget(Self.belt) }
                let late = EventLog()
                await client.onEvent(late.handler)
                #expect(await late.held() == found)
                #expect(await scope.fake.calls == [])

                await holder.close()
                await events.ready()
                await events.heard(Self.belt)
                await scope.fake.waitForCall("hci0 StartDiscovery")
                await scope.fake.waitForCall("bluez RegisterAgent")
                _ = try await client.connect(Self.belt) { _ in }
            }
        }
    }

    @Test("The guardian queues before the adapter is used, and a successor waits for the guardian's end")
    func succession() async throws {
        try await withLeases { scope in
            let line = try await Connection.open(scope.bus.address, loop: scope.loop)
            let guardian = FakeSuccessor(line)
            try await scope.withBridge("cellar") { _, second in
                await second.ready()
            }
            try await scope.withBridge("attic", successor: guardian) { _, first in
                await first.ready()
                let queue = try await line.call(
                    "ListQueuedOwners", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
                    on: "org.freedesktop.DBus", .string(Self.name))
                #expect(queue.first?.strings?.last == line.uniqueName)
                #expect(queue.first?.strings?.count == 2)
            }
            // Its bridge has ended, and releases its names.
            try await scope.waitForOwner(line.uniqueName, line)
            try await scope.withBridge("cellar") { _, second in
                let holder = try await #require(second.held())
                #expect(holder.hasPrefix("the guardian of bridge attic ("))
                await line.close()
                await second.ready()
            }
        }
    }

    @Test("A guardian that gets the name before its own bridge releases it")
    func quickGuardian() async throws {
        try await withLeases { scope in
            let line = try await Connection.open(scope.bus.address, loop: scope.loop)
            let guardian = FakeSuccessor(line)
            #expect(try await guardian.hurry(Self.name) == .primaryOwner)
            try await scope.withBridge(successor: guardian) { _, events in
                await events.ready()
                #expect(await guardian.requests == ["leave", "queue"])
                let owner = try await line.owner(of: Self.name)
                #expect(owner != line.uniqueName)
            }
        }
    }

    @Test("A guardian that hangs is replaced after a time limit")
    func hungGuardian() async throws {
        try await withLeases { scope in
            let hung = try await scope.makeHolder([.allowReplacement], sign: "Gcellar")
            let record = LogRecord()
            try await scope.withBridge(record: record, { $0.limits.succession = .milliseconds(100) }) {
                _, events in
                #expect(await events.held()?.hasPrefix("the guardian of bridge cellar (") == true)
                await events.ready()
                #expect(record.count(.error, "a guardian does not release its adapter") == 1)
                let owner = try await hung.owner(of: Self.name)
                #expect(owner != hung.uniqueName)
            }
        }
    }

    @Test("After a reconnect to the bus the name is requested again")
    func busBack() async throws {
        try await withLeases { scope in
            try await scope.withBridge { _, events in
                await events.ready()
                scope.bus.stop()
                await events.next { if case .serviceLost = $0 { true } else { false } }
                try scope.bus.start()
                let holder = try await scope.makeHolder()
                let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
                #expect(await events.held()?.hasSuffix(", \(holder.uniqueName))") == true)
                await holder.close()
                await events.ready()
                await back.vanish()
            }
        }
    }

    @Test("The name is kept when bluetoothd restarts")
    func serviceBack() async throws {
        try await withLeases { scope in
            let looker = try await Connection.open(scope.bus.address, loop: scope.loop)
            try await scope.withBridge { _, events in
                await events.ready()
                await scope.fake.vanish()
                await events.next { if case .serviceLost = $0 { true } else { false } }
                let owner = try await looker.owner(of: Self.name)
                #expect(owner != nil)
                let back = try await FakeBlueZ.start(on: scope.bus.address, loop: scope.loop)
                await events.ready()
                #expect(try await looker.owner(of: Self.name) == owner)
                await back.vanish()
            }
        }
    }

    @Test("The name of an unplugged adapter is released, and requested again after it is plugged in")
    func unplugged() async throws {
        try await withLeases { scope in
            let looker = try await Connection.open(scope.bus.address, loop: scope.loop)
            let guardian = FakeSuccessor(try await Connection.open(scope.bus.address, loop: scope.loop))
            try await scope.withBridge(successor: guardian) { _, events in
                await events.ready()
                await scope.fake.remove(FakeBlueZ.adapter("hci0"))
                try await scope.waitForOwner(nil, looker)
                #expect(await guardian.requests == ["queue", "leave"])
                try await scope.fake.addAdapter("hci0")
                await events.ready()
                let holder = try await looker.adapterHolder(of: Self.name)
                #expect(holder?.bridge == "attic")
            }
        }
    }

    @Test("Only adapters allowed by the settings are leased")
    func chosen() async throws {
        try await withLeases(adapters: []) { scope in
            try await scope.fake.addAdapter("hci0", address: "02:B1:7E:00:00:00")
            try await scope.fake.addAdapter("hci1", address: "02:B1:7E:00:00:01")
            let other = try await scope.makeHolder()
            try await scope.withBridge("attic", { $0.adapters = ["hci1"] }) { _, events in
                await events.ready("hci1")
                let owner = try await other.owner(of: Self.name)
                #expect(owner == other.uniqueName)
                #expect(await !events.seen.contains { if case .adapterHeld = $0 { true } else { false } })
            }
            try await scope.withBridge("attic") { client, events in
                _ = await events.held("hci0")
                await events.ready("hci1")
                _ = await client.startDiscovery()
                await scope.fake.waitForCall("hci1 StartDiscovery")
                #expect(await !scope.fake.calls.contains { $0.hasPrefix("hci0 ") })
            }
        }
    }

    @Test("An adapter without an address is used, with a warning about the consequence")
    func nameless() async throws {
        try await withLeases(adapters: []) { scope in
            try await scope.fake.addAdapter("hci0", address: nil)
            let looker = try await Connection.open(scope.bus.address, loop: scope.loop)
            let record = LogRecord()
            try await scope.withBridge(record: record) { _, events in
                await events.ready()
                #expect(record.count(.warning, "BlueZ reports no address") == 1)
                await scope.fake.set(["Address": .string("02:B1:7E:00:00:00")], ofAdapter: "hci0")
                await events.ready()
                let owner = try await looker.owner(of: Self.name)
                #expect(owner != nil)
            }
        }
    }
}
