import Bluetooth
import BridgeContract
import DeviceKit
import ESPHome
import EventLoop
import HostTesting
import Testing
import VirtualDevices

import struct HostServices.ListenAddress

@testable import ProxyClient
@testable import ProxyRadio
@testable import ProxySimulator

/// The environment of a test: a simulated proxy on a port of this host, and a running radio.
struct ProxyScope: Sendable {
    static let belt: Address = "C0:FF:EE:00:BE:01"
    static let tap: Address = "C0:FF:EE:00:BE:02"
    static let robot: Address = "C0:FF:EE:00:B0:01"
    static let adapter = "proxy/kitchen"

    let server: ProxyServer
    let radio: ProxyRadio
    let events: Journal<RadioEvent>
    let reports: Journal<VirtualDevices.Report>
    let log: LogRecord
    let port: UInt16
    let key: EncryptionKey?

    /// What a test changes.
    struct Choices {
        var scenario = Scenario.standard
        var options = Proxy.Options()
        var isEncrypted = true
        /// Whether the radio uses another key than the proxy.
        var hasWrongKey = false
        var mac: Address?
        /// Whether the radio waits for permission.
        var isShared = false
        var limits = ProxySession.Limits()
        var reports = Journal<VirtualDevices.Report>()

        /// Changes a device of the scenario.
        mutating func change(_ device: Int, _ body: (inout Scenario.Device) -> Void) {
            body(&scenario.devices[device])
        }
    }

    /// Waits until the proxy can be used, and the radio receives a device.
    func ready(_ address: Address = belt) async throws {
        try await events.next(.adapterReady(Self.adapter))
        try await heard(address)
    }

    @discardableResult
    func heard(_ address: Address) async throws -> Advertisement {
        let event = try await events.next {
            if case .heard(let advertisement, _) = $0 { advertisement.address == address } else { false }
        }
        guard case .heard(let advertisement, _) = event else { throw Journal<RadioEvent>.Ended() }
        return advertisement
    }

    /// Connects to a device; the journal receives the events of the link.
    func connect(
        _ address: Address = belt, _ requirements: LinkRequirements = .belt,
        _ journal: Journal<LinkEvent> = Journal()
    ) async throws(RadioError) -> any DeviceLink {
        try await radio.connect(address, requirements: requirements) { journal.add($0) }
    }

    /// Returns the error of a connection; nil if the device is connected.
    func connectError(_ address: Address = belt, _ requirements: LinkRequirements = .belt) async
        -> RadioError?
    {
        do throws(RadioError) {
            _ = try await connect(address, requirements)
            return nil
        } catch { return error }
    }

    /// Runs a body while a second client uses the proxy, with a journal of its events.
    func withOther(_ body: @escaping @Sendable (Journal<RadioEvent>) async throws -> Void) async throws {
        var settings = ProxyRadio.Settings(name: "kitchen", host: "127.0.0.1", port: port, key: key)
        settings.limits = await radio.settings.limits
        let other = ProxyRadio(settings, loop: radio.loop, logger: LogRecord().logger())
        let events = Journal<RadioEvent>()
        try await other.run(events) { try await body(events) }
    }

    /// What users read about the proxy.
    func adapter() async throws -> RadioDescription.Adapter {
        try #require(await radio.describe().adapters.first)
    }
}

extension LinkRequirements {
    static let firmware = CharacteristicID(service: 0xFE51, uuid: 0xFE01)
    static let keepAlive = CharacteristicID(service: 0xFE51, uuid: 0xFE02)
    static let button = CharacteristicID(service: 0xFE51, uuid: 0xFE04)
    static let name = CharacteristicID(
        service: "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370", uuid: "c3ff0003-1d8b-40fd-a56f-c7bd5d0f3370")

    static let belt = Self(
        required: [firmware, keepAlive, button], bonding: .onDemand, mayUseProxy: true)
    static let tap = Self(required: [name], bonding: .always, isInputDevice: true, mayUseProxy: true)
}

/// Runs a body with a simulated proxy and a running radio, and stops both.
func withProxy(
    _ change: (inout ProxyScope.Choices) -> Void = { _ in },
    _ body: @escaping @Sendable (ProxyScope) async throws -> Void
) async throws {
    var choices = ProxyScope.Choices()
    change(&choices)
    let (serverLoop, loop) = (
        try EventLoop.start(name: "proxy"), try EventLoop.start(name: "radio", isPrompt: true)
    )
    defer {
        loop.stop()
        serverLoop.stop()
    }
    let port = try TestBroker.freePort()
    let key = choices.isEncrypted ? EncryptionKey() : nil
    let (events, reports, log) = (Journal<RadioEvent>(), choices.reports, LogRecord())
    let address = try #require(ListenAddress("127.0.0.1:\(port)"))
    let server = ProxyServer(
        World(choices.scenario), at: address, key: key, options: choices.options, loop: serverLoop
    ) { reports.add($0) }
    try await server.start()
    var settings = ProxyRadio.Settings(
        name: "kitchen", host: "127.0.0.1", port: port, mac: choices.mac,
        key: choices.hasWrongKey ? EncryptionKey() : key)
    settings.limits = choices.limits
    settings.isShared = choices.isShared
    let radio = ProxyRadio(settings, loop: loop, logger: log.logger())
    let scope = ProxyScope(
        server: server, radio: radio, events: events, reports: reports, log: log, port: port, key: key)
    try await radio.run(events) { try await body(scope) }
    await server.stop()
}

extension ProxyRadio {
    /// Runs the radio while a body runs.
    func run(
        _ events: Journal<RadioEvent>, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        onEvent { events.add($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.run() }
            group.addTask { try await body() }
            // The body ends first, unless the radio has failed.
            try await group.next()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        close()
    }

    /// Starts operations together; returns their results.
    func perform(
        _ operations: [LinkOperation], on link: any DeviceLink,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async -> [Result<[UInt8], OperationError>] {
        let results = Journal<(Int, Result<[UInt8], OperationError>)>()
        for (index, operation) in operations.enumerated() {
            link.perform(operation, while: isWanted) { results.add((index, $0)) }
        }
        var sorted: [Int: Result<[UInt8], OperationError>] = [:]
        for _ in operations {
            guard let (index, result) = try? await results.next(where: { _ in true }) else { break }
            sorted[index] = result
        }
        return operations.indices.compactMap { sorted[$0] }
    }

    func perform(
        _ operation: LinkOperation, on link: any DeviceLink
    ) async -> Result<[UInt8], OperationError>? {
        await perform([operation], on: link).first
    }

    func listen(_ journal: Journal<RadioEvent>) { onEvent { journal.add($0) } }

    func cancel(_ address: Address) { cancelConnecting(address) }

    func share(heldBy bridge: String?) { share(adapter, heldBy: bridge) }

    /// The number of attempts to connect that run or wait.
    var attempts: Int { turns.count }

    var knowledge: (freeSlots: Int?, isConnected: Bool) {
        (freeSlots, isConnected(ProxyScope.belt))
    }
}
