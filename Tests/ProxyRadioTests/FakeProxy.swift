import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceKit
import Synchronization

@testable import ProxyRadio

/// A proxy that a test plays.
final class FakeProxy: ProxyReceiver {
    struct State {
        var freeSlots: Int? = 3
        var bonds: Set<Address> = []
        var failure: RadioError?
        var requests: [FakeRadio.Request] = []
        var advertisements = 0
        var discoveries = 0
        var avoided: Set<String> = []
        var givenUp: [Address] = []
        var serviceData: Set<UUID> = []
        var companies: Set<UInt16> = []
        var handler: (@Sendable (RadioEvent) -> Void)?
    }

    let adapter: String
    private let executor: ManualExecutor
    private let state = Mutex(State())

    init(_ name: String, executor: ManualExecutor) {
        (adapter, self.executor) = ("proxy/\(name)", executor)
    }

    /// Changes what the proxy does.
    func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

    /// What the bridge has requested.
    func read<Value: Sendable>(_ property: (State) -> Value) -> Value { state.withLock { property($0) } }

    func tell(_ event: RadioEvent) {
        executor.perform { state.withLock(\.handler)?(event) }
    }

    func hear(_ address: Address, _ rssi: Int) {
        set { $0.advertisements += 1 }
        tell(.heard(Advertisement(address: address, rssi: rssi), adapter: adapter))
    }

    // MARK: Port

    var advertisementCount: Int { read(\.advertisements) }
    var freeSlots: Int? { read(\.freeSlots) }
    func isConnected(_ address: Address) -> Bool { false }
    func hasBond(_ address: Address) -> Bool { read { $0.bonds.contains(address) } }

    func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        set { $0.handler = handler }
        handler(.adapterReady(adapter))
    }

    func startDiscovery() async -> any DiscoveryToken {
        set { $0.discoveries += 1 }
        return Token(proxy: self)
    }

    func connect(
        _ address: Address, requirements: LinkRequirements, handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        set { $0.requests.append(.connect(address)) }
        if let failure = read(\.failure) { throw failure }
        return ProxyLinkStub(adapter: adapter, address: address)
    }

    func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError) {
        set { $0.requests.append(.pair(address)) }
        if let failure = read(\.failure) { throw failure }
    }

    func forget(_ address: Address) async throws(RadioError) {
        set { $0.requests.append(.forget(address)) }
        if let failure = read(\.failure) { throw failure }
    }

    func cancelConnecting(_ address: Address) { set { $0.givenUp.append(address) } }
    func use(serviceData services: Set<UUID>, companies: Set<UInt16>) {
        set { ($0.serviceData, $0.companies) = (services, companies) }
    }
    func avoid(_ adapters: Set<String>) { set { $0.avoided = adapters } }
    func replayIfConnected(_ address: Address) async {}
    func replayKnown() async {}

    func describe() async -> RadioDescription {
        RadioDescription(adapters: [
            .init(
                name: adapter, address: nil, isPowered: true,
                slots: freeSlots.map { .init(free: $0, limit: 3) })
        ])
    }

    private struct Token: DiscoveryToken {
        let proxy: FakeProxy

        func end() async { proxy.set { $0.discoveries -= 1 } }
    }
}

/// A link that is only counted.
private struct ProxyLinkStub: DeviceLink {
    let adapter: String
    let address: Address

    var profile: LinkProfile { LinkProfile(characteristics: [:]) }
    var place: LinkPlace { LinkPlace(proxy: adapter, address: address) }
    func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) { completion(.failure(OperationError(.disconnected, "a link of a test"))) }
    func settle() async {}
    func disconnect() async {}
    func leave() async {}
}
