import Bluetooth
import DBus
import EventLoop
import HostTesting
import Testing

@testable import BlueZ

/// The environment of a test: a private bus with a fake bluetoothd, and a running client.
struct BlueZScope {
    let bus: PrivateBus
    let loop: EventLoop
    let fake: FakeBlueZ
    let client: Client
    let events: EventLog

    static let belt: Bluetooth.Address = "C0:00:00:00:00:01"
    static let robot: Bluetooth.Address = "C0:00:00:00:00:02"
    static let service: UUID = 0xFE51
    static let value = CharacteristicID(service: 0xFE51, uuid: 0x0001)
    static let command = CharacteristicID(service: 0xFE51, uuid: 0x0002)
    static let table: [(UUID, [String])] = [
        (0x0001, ["read", "notify"]), (0x0002, ["write", "write-without-response"]),
    ]

    /// Limits that are short enough for a test that waits for one.
    static var limits: Limits {
        var limits = Limits()
        limits.settle = .milliseconds(1000)
        limits.settleOptional = .milliseconds(100)
        limits.reload = .milliseconds(20)
        limits.discovery = .milliseconds(50)
        limits.retry = .milliseconds(5)
        limits.disconnect = .milliseconds(500)
        limits.bus = .init(first: .milliseconds(10))
        return limits
    }
}

/// Runs a body with a fake bluetoothd and a client, and stops both.
func withBlueZ(
    adapters: [String] = ["hci0"], _ change: (inout Settings) -> Void = { _ in },
    _ body: @escaping @Sendable (BlueZScope) async throws -> Void
) async throws {
    let bus = try PrivateBus()
    let loop = try EventLoop.start(name: "bluez-test")
    defer {
        bus.stop()
        loop.stop()
    }
    let fake = try await FakeBlueZ.start(on: bus.address, loop: loop, adapters: adapters)
    var settings = Settings(bus: bus.address)
    settings.limits = BlueZScope.limits
    change(&settings)
    let client = Client(settings: settings, loop: loop)
    let log = EventLog()
    nonisolated(unsafe) let scope = BlueZScope(bus: bus, loop: loop, fake: fake, client: client, events: log)
    try await client.run(log) { try await body(scope) }
    await fake.vanish()
}

extension Client {
    /// Runs the client while a body runs, which starts once bluetoothd is served.
    func run(_ log: EventLog, _ body: @escaping @Sendable () async throws -> Void) async throws {
        onEvent(log.handler)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.run() }
            group.addTask {
                await log.next { $0 == .serviceReady }
                try await body()
            }
            // The body ends first, unless the client has failed.
            try await group.next()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        close()
    }
}

extension BlueZScope {
    /// Adds a device to `hci0`, by default with the usual table, and waits until the client has reported it.
    func add(_ address: Bluetooth.Address = belt, hasServices: Bool = true) async throws {
        try await fake.addDevice(address)
        if hasServices { try await fake.addService(Self.service, Self.table, of: address) }
        await events.heard(address)
    }

    @discardableResult
    func connect(
        _ address: Bluetooth.Address = belt, requirements: LinkRequirements = LinkRequirements(required: []),
        handler: @escaping @Sendable (LinkEvent) -> Void = { _ in }
    ) async throws(BlueZError) -> Link {
        try await client.connect(address, requirements: requirements, handler: handler)
    }

    /// Returns the error of a connection to a device.
    func connectError(
        _ address: Bluetooth.Address = belt, requirements: LinkRequirements = LinkRequirements(required: [])
    ) async -> BlueZError? {
        do throws(BlueZError) {
            try await connect(address, requirements: requirements)
            Issue.record("\(address) is connected")
            return nil
        } catch { return error }
    }

    /// Waits until this number of connections wait for their turn on `hci0`.
    func waitForQueue(_ count: Int) async {
        let end = ContinuousClock.now + .seconds(20)
        while await client.waitingCount < count {
            guard ContinuousClock.now < end else {
                Issue.record("no \(count) connections wait")
                return
            }
            await Task.yield()
        }
    }
}

extension Client {
    fileprivate var waitingCount: Int { connects.queues[FakeBlueZ.adapter("hci0")]?.waitingCount ?? 0 }
}

/// Returns events one after the other, like a listener.
actor EventLog {
    private var iterator: AsyncStream<RadioEvent>.AsyncIterator
    private(set) var seen: [RadioEvent] = []
    /// The handler for the client.
    nonisolated let handler: @Sendable (RadioEvent) -> Void

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: RadioEvent.self)
        iterator = stream.makeAsyncIterator()
        handler = { continuation.yield($0) }
    }

    /// Waits for the next matching event; earlier events are skipped.
    @discardableResult
    func next(_ condition: @Sendable (RadioEvent) -> Bool) async -> RadioEvent? {
        while true {
            var copy = iterator
            guard let event = await copy.next(isolation: self) else { return nil }
            iterator = copy
            seen.append(event)
            if condition(event) { return event }
        }
    }

    func heard(_ address: Bluetooth.Address) async {
        await next {
            if case .heard(let advertisement, _) = $0 { advertisement.address == address } else { false }
        }
    }
}

/// Collects the events of a link's handler, and lets a test wait for them.
final class LinkLog: Sendable {
    private let stream: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(of: LinkEvent.self) }

    var handler: @Sendable (LinkEvent) -> Void { { [continuation] in continuation.yield($0) } }

    /// Returns the next `count` events.
    func next(_ count: Int) async -> [LinkEvent] {
        var events: [LinkEvent] = []
        guard count > 0 else { return events }
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }
}

/// Runs a body with a link to a device with the usual table.
func withLink(
    _ change: (inout Settings) -> Void = { _ in },
    _ body: @escaping @Sendable (BlueZScope, Link, LinkLog) async throws -> Void
) async throws {
    try await withBlueZ(change) { scope in
        try await scope.add()
        let log = LinkLog()
        let link = try await scope.connect(requirements: ConnectTests.needs, handler: log.handler)
        try await body(scope, link, log)
    }
}
