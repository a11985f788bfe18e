import DBus
import EventLoop
import Glibc
import Testing

@testable import BlueZSimulator

/// A simple bluetoothd for a program that serves a peripheral: one adapter, its managers, and clients that connect and
/// disconnect.
actor FakeBlueZ {
    static let adapter: ObjectPath = "/org/bluez/hci1"
    static let client: ObjectPath = "/org/bluez/hci1/dev_02_00_00_00_00_01"

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let connection: Connection
    // The received calls, in order: a member and its first argument.
    private nonisolated let requests: AsyncStream<String>
    private let note: AsyncStream<String>.Continuation
    private(set) var program = ""

    init(_ connection: Connection) {
        self.connection = connection
        loop = connection.loop
        (requests, note) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
    }

    /// Waits for the next call.
    nonisolated func nextRequest() async -> String? {
        for await request in requests { return request }
        return nil
    }

    /// Adds the daemon to the bus.
    func appear() async throws {
        await connection.exportObjectManager(at: .root, listsStandardInterfaces: true)
        try await plugAdapterIn()
        try await connection.export(
            [
                Interface(
                    BlueZName.agentManager,
                    methods: [method("RegisterAgent", "os"), method("RequestDefaultAgent", "o")])
            ], at: BlueZName.root)
        #expect(try await connection.requestName(BlueZName.service) == .primaryOwner)
    }

    /// Adds the adapter and its managers to the bus.
    func plugAdapterIn() async throws {
        try await connection.export(
            [
                Interface(
                    BlueZName.adapter,
                    properties: [
                        setting("Powered", "b", .bool(false)), setting("Alias", "s", .string("")),
                        setting("Pairable", "b", .bool(false)),
                    ]),
                Interface(
                    BlueZName.gattManager,
                    methods: [method("RegisterApplication", "oa{sv}"), method("UnregisterApplication", "o")]),
                Interface(
                    BlueZName.advertisingManager,
                    methods: [
                        method("RegisterAdvertisement", "oa{sv}"), method("UnregisterAdvertisement", "o"),
                    ]),
            ], at: Self.adapter)
    }

    /// Simulates a client that connects.
    func connectClient() async throws {
        try await connection.export(
            [
                Interface(
                    BlueZName.device,
                    methods: [
                        .deferred("Disconnect") { [weak self] _, answer in
                            self?.assumeIsolated { _ = $0.note.yield("Disconnect") }
                            answer.succeed()
                        }
                    ],
                    properties: [
                        Property("Connected", "b", .bool(true)), Property("Paired", "b", .bool(false)),
                    ])
            ], at: Self.client)
    }

    func disconnectClient() async throws {
        try await connection.setProperties(
            ["Connected": .bool(false)], of: BlueZName.device, at: Self.client)
    }

    /// Calls a method of a characteristic of the program.
    func call(_ member: String, at path: ObjectPath, _ arguments: [Value] = []) async throws -> [Value] {
        try await connection.call(
            Message(call: member, of: BlueZName.characteristic, at: path, on: program, arguments)
        ).arguments
    }

    /// Calls the program's agent.
    func ask(_ device: ObjectPath) async throws {
        _ = try await connection.call(
            "RequestAuthorization", of: BlueZName.agent, at: RealPeripherals.agent, on: program,
            .objectPath(device))
    }

    private func method(_ name: String, _ takes: Signature) -> Method {
        .immediate(name, takes: takes) { [weak self] call in
            self?.assumeIsolated {
                $0.program = call.sender
                _ = $0.note.yield("\(name) \(call.arguments[0].objectPath?.description ?? "")")
            }
            return []
        }
    }

    private func setting(_ name: String, _ type: ValueType, _ value: Value) -> Property {
        Property(name, type, value, access: .readWrite) { [weak self] _, value in
            await self?.wasSet(name, value)
        }
    }

    private func wasSet(_ name: String, _ value: Value) {
        note.yield("\(name) \(value.bool.map { "\($0)" } ?? value.string ?? "")")
    }
}
