import Bluetooth
import DBus
import EventLoop
import HostTesting
import Logging

@testable import BlueZ

/// What a test of leases has: a private bus with a fake bluetoothd, on which it runs bridges and owns names.
struct LeaseScope: Sendable {
    // A test uses it from one task.
    nonisolated(unsafe) let bus: PrivateBus
    let loop: EventLoop
    let fake: FakeBlueZ

    /// The name of the adapter that the fake has.
    static let name = "org.tactilebridge.Adapter.A02B17E000000"

    /// Another program on the bus, which has the adapter.
    func makeHolder(_ options: NameOptions = [.doNotQueue], sign: String? = nil) async throws -> Connection {
        let connection = try await Connection.open(bus.address, loop: loop)
        if let sign { _ = try await connection.requestName("\(Self.name).\(sign)") }
        guard try await connection.requestName(Self.name, options) == .primaryOwner else {
            throw DBusError(name: DBusError.Name.failed, message: "the name is taken")
        }
        return connection
    }

    /// Lets the bus take other rules; the names that are owned stay.
    func setPolicy(_ policy: String?, _ connection: Connection) async throws {
        try bus.setPolicy(policy)
        let name = "org.freedesktop.DBus"
        _ = try await connection.call("ReloadConfig", of: name, at: "/org/freedesktop/DBus", on: name)
    }

    /// Runs a bridge's view of bluetoothd while the body does.
    func withBridge(
        _ id: String = "attic", successor: (any LeaseSuccessor)? = nil, record: LogRecord = LogRecord(),
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @escaping @Sendable (Client, EventLog) async throws -> Void
    ) async throws {
        var settings = Settings(bus: bus.address)
        settings.limits = BlueZScope.limits
        settings.leases = LeaseSettings(bridge: id, successor: successor)
        change(&settings)
        let client = Client(settings: settings, loop: loop, logger: record.logger())
        let log = EventLog()
        try await client.run(log) { try await body(client, log) }
    }

    /// Waits until the adapter's name has an owner, or none: the bus may take note of the end of a connection behind a
    /// question that was asked later.
    func waitForOwner(_ owner: String?, _ looker: Connection) async throws {
        let (changes, input) = AsyncStream.makeStream(of: String?.self)
        let subscription = try await looker.onOwnerChange(of: Self.name) { input.yield($0.newOwner) }
        defer { subscription.cancel() }
        guard try await looker.owner(of: Self.name) != owner else { return }
        for await new in changes where new == owner { return }
    }
}

/// Runs a body with a bus and a fake bluetoothd, and ends both.
func withLeases(
    policy: String? = nil, adapters: [String] = ["hci0"],
    _ body: @escaping @Sendable (LeaseScope) async throws -> Void
) async throws {
    let bus = try PrivateBus(policy: policy)
    let loop = try EventLoop.start(name: "lease-test")
    defer {
        bus.stop()
        loop.stop()
    }
    let fake = try await FakeBlueZ.start(on: bus.address, loop: loop, adapters: adapters)
    let scope = LeaseScope(bus: bus, loop: loop, fake: fake)
    try await body(scope)
    await fake.vanish()
}

/// A guardian's place in the queues, on a connection of its own.
actor FakeSuccessor: LeaseSuccessor {
    private let connection: Connection
    private var names: [String: String] = [:]
    /// What it was asked for.
    private(set) var requests: [String] = []

    init(_ connection: Connection) { self.connection = connection }

    func queue(for name: String, sign: String) async -> Bool {
        requests.append("queue")
        names[name] = sign
        _ = try? await connection.requestName(sign)
        return (try? await connection.requestName(name, [.allowReplacement])) == .inQueue
    }

    func leave(_ name: String) async {
        requests.append("leave")
        _ = try? await connection.releaseName(name)
    }

    /// Asks before its bridge does, as one that finds the bus again sooner.
    func hurry(_ name: String) async throws -> NameRequestResult {
        try await connection.requestName(name, [.allowReplacement])
    }
}

extension EventLog {
    func ready(_ name: String = "hci0") async { await next { $0 == .adapterReady(name) } }

    /// Waits until another program has the adapter; says which, in words.
    func held(_ name: String = "hci0", by condition: @Sendable (String) -> Bool = { _ in true }) async
        -> String?
    {
        let event = await next {
            if case .adapterHeld(name, by: let holder) = $0 { condition(holder) } else { false }
        }
        if case .adapterHeld(_, by: let holder) = event { return holder }
        return nil
    }
}
