import BlueZ
import Bluetooth
import DBus
import EventLoop
import HostTesting
import Logging

/// What a test of claims has: a private bus with a fake bluetoothd, on which it runs bridges and owns names.
struct ClaimScope: Sendable {
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
        _ id: String = "attic", successor: (any ClaimSuccessor)? = nil, record: LogRecord = LogRecord(),
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @escaping @Sendable (Client, EventLog) async throws -> Void
    ) async throws {
        var settings = Settings(bus: bus.address)
        settings.limits = BlueZScope.limits
        settings.claims = ClaimSettings(bridge: id, successor: successor)
        change(&settings)
        let client = Client(settings: settings, loop: loop, logger: record.logger())
        let log = EventLog()
        await client.onEvent(log.handler)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            group.addTask {
                await log.next { $0 == .serviceReady }
                try await body(client, log)
            }
            try await group.next()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        await client.close()
    }
}

/// Runs a body with a bus and a fake bluetoothd, and ends both.
func withClaims(
    policy: String? = nil, adapters: [String] = ["hci0"],
    _ body: @escaping @Sendable (ClaimScope) async throws -> Void
) async throws {
    let bus = try PrivateBus(policy: policy)
    let loop = try EventLoop.start(name: "claim-test")
    defer {
        bus.stop()
        loop.stop()
    }
    let fake = try await FakeBlueZ.start(on: bus.address, loop: loop, adapters: adapters)
    let scope = ClaimScope(bus: bus, loop: loop, fake: fake)
    try await body(scope)
    await fake.vanish()
}

/// A guardian's place in the queues, on a connection of its own.
actor FakeSuccessor: ClaimSuccessor {
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
