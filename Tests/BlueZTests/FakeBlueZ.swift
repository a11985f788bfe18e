import Bluetooth
import DBus
import EventLoop
import Glibc
import Testing

@testable import BlueZ

/// A scripted `org.bluez` on a private bus. It has the objects that a test adds, records every call, and follows the
/// test's scripts, by default the simplest behavior.
actor FakeBlueZ {
    typealias Script = @Sendable (isolated FakeBlueZ, MethodCall, Answer) -> Void

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let connection: Connection
    /// The calls, by the last element of the path: `hci0 StartDiscovery`.
    private(set) var calls: [String] = []
    /// The arguments of each call.
    private(set) var arguments: [[Value]] = []
    /// The calls that a script answers later.
    var heldAnswers: [Answer] = []
    private var scripts: [String: Script] = [:]
    private var waiters: [(condition: ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
        []

    private init(loop: EventLoop, connection: Connection) {
        self.loop = loop
        self.connection = connection
    }

    /// Appears on the bus with its agent manager and, by default, `hci0`.
    static func start(
        on bus: DBus.Address, loop: EventLoop, adapters: [String] = ["hci0"], isPowered: Bool = true,
        scripts: [String: Script] = [:]
    ) async throws -> FakeBlueZ {
        let connection = try await Connection.open(bus, loop: loop)
        let fake = FakeBlueZ(loop: loop, connection: connection)
        for (call, script) in scripts { await fake.on(call, script) }
        await connection.exportObjectManager(at: .root, listsStandardInterfaces: true)
        try await fake.addManager()
        for adapter in adapters { try await fake.addAdapter(adapter, isPowered: isPowered) }
        _ = try await connection.requestName(Names.service)
        return fake
    }

    /// Disappears like a killed process.
    func vanish() async { await connection.close() }

    /// Sets the behavior of a method, by the last element of the object's path and the method's name.
    func on(_ call: String, _ script: @escaping Script) { scripts[call] = script }

    /// Waits until a call was made at least `count` times.
    func waitForCall(_ call: String, count: Int = 1) async {
        await waitForCalls { $0.count { $0 == call } >= count }
    }

    func waitForCalls(_ condition: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            if condition(calls) { continuation.resume() } else { waiters.append((condition, continuation)) }
        }
    }

    /// Answers the calls held by a script, successfully and without a value.
    func releaseHeldAnswers() {
        for answer in heldAnswers { answer.succeed() }
        heldAnswers = []
    }

    /// Returns the calls with these names, in order.
    func calls(among names: Set<String>) -> [String] { calls.filter(names.contains) }

    private func method(_ name: String, _ takes: Signature = "", _ returns: Signature = "") -> Method {
        .deferred(name, takes: takes, returns: returns) { [weak self] call, answer in
            self?.assumeIsolated { $0.called(call, answer) }
        }
    }

    private func called(_ call: MethodCall, _ answer: Answer) {
        let name = "\(call.path.name) \(call.member)"
        calls.append(name)
        arguments.append(call.arguments)
        if let script = scripts[name] ?? scripts[call.member] {
            script(self, call, answer)
        } else {
            perform(call, answer)
        }
        let ready = waiters.filter { $0.condition(calls) }
        waiters.removeAll { $0.condition(calls) }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Behaves like bluetoothd in the successful case.
    func perform(_ call: MethodCall, _ answer: Answer) {
        switch call.member {
        case "Connect":
            set(["Connected": .bool(true)], ofDevice: call.path)
            answer.succeed()
            set(["ServicesResolved": .bool(true)], ofDevice: call.path)
        case "Disconnect":
            answer.succeed()
            set(["ServicesResolved": .bool(false), "Connected": .bool(false)], ofDevice: call.path)
        case "Pair":
            set(["Connected": .bool(true), "Paired": .bool(true)], ofDevice: call.path)
            answer.succeed()
            set(["ServicesResolved": .bool(true)], ofDevice: call.path)
        case "RemoveDevice":
            answer.succeed()
            if let path = call.arguments.first?.objectPath { remove(path) }
        case "StartDiscovery", "StopDiscovery":
            answer.succeed()
            set(["Discovering": .bool(call.member == "StartDiscovery")], ofAdapter: call.path.name)
        case "ReadValue":
            signal([7], at: call.path)
            answer.succeed([.bytes([7])])
        default:
            answer.succeed()
        }
    }

    // MARK: Objects

    private func addManager() async throws {
        let methods = [
            method("RegisterAgent", "os"), method("RequestDefaultAgent", "o"), method("UnregisterAgent", "o"),
        ]
        try await connection.export([Interface(Names.agentManager, methods: methods)], at: "/org/bluez")
    }

    func addAdapter(
        _ name: String, isPowered: Bool = true, address: String? = "02:B1:7E:00:00:00"
    ) throws {
        let methods = [
            method("StartDiscovery"), method("StopDiscovery"), method("SetDiscoveryFilter", "a{sv}"),
            method("RemoveDevice", "o"),
        ]
        let properties = [
            Property("Address", .string, address.map { .string($0) }),
            Property("Alias", .string, .string(name)),
            Property("Powered", .bool, .bool(isPowered), access: .readWrite),
            Property("Discovering", .bool, .bool(false)),
            Property("Modalias", .string, .string("usb:v1D6Bp0246d0542")),
        ]
        try export(Interface(Names.adapter, methods: methods, properties: properties), at: Self.adapter(name))
    }

    /// Adds a device, like bluetoothd after an advertisement.
    ///
    /// - Parameter signalsConnected: Whether changes of `Connected` are signaled.
    func addDevice(
        _ address: Bluetooth.Address, name: String = "Belt", rssi: Int16? = -50, adapter: String = "hci0",
        isPaired: Bool = false, isConnected: Bool = false, signalsConnected: Bool = true,
        services: [UUID] = []
    ) throws {
        let methods = [
            method("Connect"), method("Disconnect"), method("Pair"), method("CancelPairing"),
        ]
        let properties = [
            Property("Address", .string, .string(address.description)),
            Property("Name", .string, .string(name)),
            Property("Alias", .string, .string(name)),
            Property("Adapter", .objectPath, .objectPath(Self.adapter(adapter))),
            Property("RSSI", .int16, rssi.map { .int16($0) }), Property("Paired", .bool, .bool(isPaired)),
            Property("Trusted", .bool, .bool(false), access: .readWrite),
            Property(
                "Connected", .bool, .bool(isConnected), emits: signalsConnected ? .value : .nothing),
            Property("ServicesResolved", .bool, .bool(isConnected)),
            Property("UUIDs", "as", .strings(services.map(\.description))),
        ]
        try export(
            Interface(Names.device, methods: methods, properties: properties),
            at: Self.device(address, adapter))
    }

    /// Adds one service with its characteristics.
    func addService(
        _ uuid: UUID, _ characteristics: [(UUID, [String])], of address: Bluetooth.Address,
        adapter: String = "hci0"
    ) throws {
        try addService(uuid, characteristics, at: Self.device(address, adapter))
    }

    func addService(_ uuid: UUID, _ characteristics: [(UUID, [String])], at device: ObjectPath) throws {
        let service = device.appending("service0010")
        try export(
            Interface(
                Names.gattService,
                properties: [
                    Property("UUID", .string, .string(uuid.description)),
                    Property("Primary", .bool, .bool(true)),
                    Property("Device", .objectPath, .objectPath(device)),
                ]), at: service)
        for (index, (uuid, flags)) in characteristics.enumerated() {
            let methods = [
                method("ReadValue", "a{sv}", "ay"), method("WriteValue", "aya{sv}"), method("StartNotify"),
                method("StopNotify"), method("AcquireNotify", "a{sv}", "hq"),
                method("AcquireWrite", "a{sv}", "hq"),
            ]
            let properties = [
                Property("UUID", .string, .string(uuid.description)),
                Property("Service", .objectPath, .objectPath(service)),
                Property("Flags", "as", .strings(flags)),
                Property("Value", "ay", .bytes([])), Property("MTU", .uint16, .uint16(185)),
            ]
            try export(
                Interface(Names.characteristic, methods: methods, properties: properties),
                at: service.appending("char001\(index + 1)"))
        }
    }

    func addBattery(_ percent: UInt8, of address: Bluetooth.Address) throws {
        try export(
            Interface(Names.battery, properties: [Property("Percentage", .byte, .byte(percent))]),
            at: Self.device(address))
    }

    func setBattery(_ percent: UInt8, of address: Bluetooth.Address) throws {
        try connection.assumeIsolated {
            try $0.setProperties(["Percentage": .byte(percent)], of: Names.battery, at: Self.device(address))
        }
    }

    func set(_ properties: [String: Value?], ofDevice path: ObjectPath) {
        connection.assumeIsolated { try? $0.setProperties(properties, of: Names.device, at: path) }
    }

    func set(_ properties: [String: Value?], ofAdapter name: String) {
        connection.assumeIsolated {
            try? $0.setProperties(properties, of: Names.adapter, at: Self.adapter(name))
        }
    }

    /// Signals a value, like a notification.
    func signal(_ value: [UInt8], at path: ObjectPath) {
        connection.assumeIsolated {
            try? $0.setProperties(["Value": .bytes(value)], of: Names.characteristic, at: path)
        }
    }

    func signalDisconnected(_ reason: String, of address: Bluetooth.Address) throws {
        try connection.assumeIsolated {
            try $0.emit(
                "Disconnected", of: Names.device, at: Self.device(address), .string(reason), .string("words"))
        }
    }

    func remove(_ path: ObjectPath) {
        connection.assumeIsolated { connection in
            for inner in connection.exportedPaths.reversed() where inner.isInside(path) {
                connection.unexport(at: inner)
            }
        }
    }

    private func export(_ interface: Interface, at path: ObjectPath) throws {
        try connection.assumeIsolated { try $0.export([interface], at: path) }
    }

    static func adapter(_ name: String) -> ObjectPath { ObjectPath("/org/bluez").appending(name) }

    static func device(_ address: Bluetooth.Address, _ adapter: String = "hci0") -> ObjectPath {
        let element = "dev_" + String(address.description.map { $0 == ":" ? "_" : $0 })
        return Self.adapter(adapter).appending(element)
    }

    static func characteristic(
        _ index: Int, of address: Bluetooth.Address, _ adapter: String = "hci0"
    ) -> ObjectPath {
        device(address, adapter).appending("service0010").appending("char001\(index + 1)")
    }
}

extension Descriptor {
    /// Returns both ends of a socket like that of bluetoothd for a characteristic.
    static func socketPair() throws -> (near: Descriptor, far: Descriptor) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        return (Descriptor(adopting: ends[0]), Descriptor(adopting: ends[1]))
    }
}

extension Answer {
    /// Answers with one of BlueZ's errors.
    func refuse(_ name: String, _ message: String? = nil) {
        fail(DBusError(name: "org.bluez.Error.\(name)", message: message ?? name))
    }
}
