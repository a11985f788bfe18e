import Bluetooth
import DBus
import EventLoop
import HostTesting
import Logging

@testable import BlueZ

/// The environment of a lease test: a private bus with a fake bluetoothd, for bridges and owners of names.
struct LeaseScope: Sendable {
    // Used by only one task of the test.
    nonisolated(unsafe) let bus: PrivateBus
    let loop: EventLoop
    let fake: FakeBlueZ

    /// The name of the fake's adapter.
    static let name = "org.tactilebridge.Adapter.A02B17E000000"

    /// Creates another program on the bus, which owns the adapter.
    func makeHolder(_ options: NameOptions = [.doNotQueue], sign: String? = nil) async throws -> Connection {
        let connection = try await Connection.open(bus.address, loop: loop)
        if let sign { _ = try await connection.requestName("\(Self.name).\(sign)") }
        guard try await connection.requestName(Self.name, options) == .primaryOwner else {
            throw DBusError(name: DBusError.Name.failed, message: "the name is taken")
        }
        return connection
    }

    /// Changes the policy of the bus; owned names stay owned.
    func setPolicy(_ policy: String?, _ connection: Connection) async throws {
        try bus.setPolicy(policy)
        let name = "org.freedesktop.DBus"
        _ = try await connection.call("ReloadConfig", of: name, at: "/org/freedesktop/DBus", on: name)
    }

    /// Runs a bridge's client while a body runs.
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

    /// Waits until the adapter's name has this owner, or none: the bus may process the end of a connection after a
    /// later call.
    func waitForOwner(_ owner: String?, _ looker: Connection) async throws {
        let (changes, input) = AsyncStream.makeStream(of: String?.self)
        let subscription = try await looker.onOwnerChange(of: Self.name) { input.yield($0.newOwner) }
        defer { subscription.cancel() }
        guard try await looker.owner(of: Self.name) != owner else { return }
        for await new in changes where new == owner { return }
    }
}

/// Runs a body with a bus and a fake bluetoothd, and stops both.
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

/// A guardian in the queues of names, on its own connection.
actor FakeSuccessor: LeaseSuccessor {
    private let connection: Connection
    private var names: [String: String] = [:]
    /// The received requests.
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

    /// Requests the name before its bridge, like a guardian that reconnects to the bus sooner.
    func hurry(_ name: String) async throws -> NameRequestResult {
        try await connection.requestName(name, [.allowReplacement])
    }
}

extension EventLog {
    func ready(_ name: String = "hci0") async { await next { $0 == .adapterReady(name) } }

    /// Waits until another program owns the adapter; returns its description.
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
