public import Bluetooth
public import BridgeContract
import Synchronization

/// A radio that a test plays: it decides which devices are in range, how connection attempts end, and which adapters
/// exist.
public final class FakeRadio: Radio {
    /// A request of the bridge.
    public enum Request: Hashable, Sendable {
        /// A connection.
        case connect(Address)
        /// A bond.
        case pair(Address)
        /// The removal of a device and its bond.
        case forget(Address)
    }

    private typealias Attempt = CheckedContinuation<RadioError?, Never>

    private struct State {
        var requests: [Request] = []
        var links: [Address: [FakeLink]] = [:]
        var connectFailures: [Address: [RadioError]] = [:]
        var pairFailures: [Address: [RadioError]] = [:]
        var isHolding = false
        var attempts: [(address: Address, attempt: Attempt)] = []
        var setUp: @Sendable (FakeLink) -> Void = { _ in }
        var lacking: Set<CharacteristicID> = []
        var services: [Address: Set<UUID>] = [:]
        var adapters: [String] = []
        var linkAdapter = "hci0"
        var requirements: [LinkRequirements] = []
        var adapterAddress: Address = "00:AA:01:00:00:00"
        var discoveries = 0
        var held: [Address: Advertisement] = [:]
        var known: [Advertisement] = []
        var givenUp: [Address] = []
        var avoided: [Set<String>] = []
        var proxies: [RadioDescription.Adapter] = []
        var shares: [String] = []
        var usedServices: Set<UUID> = []
        var usedCompanies: Set<UInt16> = []
        var handler: (@Sendable (RadioEvent) -> Void)?
    }

    private let executor: ManualExecutor
    private let state = Mutex(State())

    /// Creates a radio with one ready adapter; with nil, a radio without an adapter.
    public init(executor: ManualExecutor, adapter: String? = "hci0") {
        self.executor = executor
        if let adapter { state.withLock { $0.adapters = [adapter] } }
    }

    // MARK: Actions of a test

    /// Delivers an advertisement.
    public func hear(_ advertisement: Advertisement) { tell(.heard(advertisement, adapter: "hci0")) }

    /// Connects the host to a device. Only ``replayIfConnected(_:)`` and ``replayKnown()`` report this.
    public func connectToHost(_ advertisement: Advertisement) {
        state.withLock { $0.held[advertisement.address] = advertisement }
    }

    /// Sets the devices that the host knows before the bridge starts.
    public func know(_ advertisements: [Advertisement]) { state.withLock { $0.known = advertisements } }

    /// Reports an event of the air or of an adapter.
    public func tell(_ event: RadioEvent) {
        executor.perform { state.withLock(\.handler)?(event) }
    }

    /// Makes the next attempts to connect to a device fail.
    public func failConnecting(_ address: Address, _ errors: RadioError...) {
        state.withLock { $0.connectFailures[address, default: []] += errors }
    }

    /// Sets the address of the adapter. Two radios with the same address simulate two programs on one host.
    public func setAddress(_ address: Address) { state.withLock { $0.adapterAddress = address } }

    /// Makes the next attempts to bond with a device or to remove it fail.
    public func failPairing(_ address: Address, _ errors: RadioError...) {
        state.withLock { $0.pairFailures[address, default: []] += errors }
    }

    /// Sets a closure that prepares every link before the bridge receives it.
    public func setUpLinks(_ setUp: @escaping @Sendable (FakeLink) -> Void) {
        state.withLock { $0.setUp = setUp }
    }

    /// Omits characteristics from the GATT tables of links.
    public func lack(_ characteristics: Set<CharacteristicID>) {
        state.withLock { $0.lacking = characteristics }
    }

    /// Sets services that a connected device has in addition to the services of its characteristics.
    public func show(_ services: Set<UUID>, on address: Address) {
        state.withLock { $0.services[address] = services }
    }

    /// Sets the adapter of further links, for example `proxy/kitchen`. Unlike a real radio, this radio connects every
    /// device over a proxy.
    public func setLinkAdapter(_ name: String) { state.withLock { $0.linkAdapter = name } }

    /// The requirements of all connection attempts.
    public var requirements: [LinkRequirements] { state.withLock(\.requirements) }

    /// Makes attempts to connect or to bond wait for ``completeNext(_:)``.
    public func setHolding(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }

    /// Completes the attempt that has waited longest; returns false if none waits.
    @discardableResult
    public func completeNext(_ error: RadioError? = nil) -> Bool {
        let next = state.withLock { $0.attempts.isEmpty ? nil : $0.attempts.removeFirst() }
        guard let next else { return false }
        executor.perform { next.attempt.resume(returning: error) }
        return true
    }

    /// All requests of the bridge.
    public var requests: [Request] { state.withLock(\.requests) }
    /// The number of active discoveries.
    public var discoveries: Int { state.withLock(\.discoveries) }
    /// Returns the links to a device, in order.
    public func links(_ address: Address) -> [FakeLink] { state.withLock { $0.links[address] ?? [] } }

    // MARK: Port

    /// Sets the handler, and first reports the current state to it.
    public func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        let adapters = state.withLock { state in
            state.handler = handler
            return state.adapters
        }
        handler(.serviceReady)
        for adapter in adapters { handler(.adapterReady(adapter)) }
        for advertisement in state.withLock(\.known) { handler(.heard(advertisement, adapter: "hci0")) }
    }

    /// Counts a discovery.
    public func startDiscovery() async -> any DiscoveryToken {
        state.withLock { $0.discoveries += 1 }
        return Token(radio: self)
    }

    /// Connects, or fails as planned.
    public func connect(
        _ address: Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        state.withLock { $0.requirements.append(requirements) }
        try await attempt(.connect(address), address, \.connectFailures)
        let (lacking, setUp, services, adapter) = state.withLock {
            ($0.lacking, $0.setUp, $0.services[address, default: []], $0.linkAdapter)
        }
        var table: [CharacteristicID: CharacteristicProperties] = [:]
        for id in requirements.required + requirements.optional where !lacking.contains(id) {
            table[id] = [.read, .write, .writeWithoutResponse, .notify]
        }
        let link = FakeLink(
            address: address,
            profile: LinkProfile(
                characteristics: table, mtu: 247, services: services.union(table.keys.map(\.service))),
            adapter: adapter,
            executor: executor, handler: handler)
        setUp(link)
        state.withLock { $0.links[address, default: []].append(link) }
        return link
    }

    /// Bonds, or fails as planned.
    public func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError) {
        try await attempt(.pair(address), address, \.pairFailures)
    }

    /// Removes a device, or fails as planned.
    public func forget(_ address: Address) async throws(RadioError) {
        try await attempt(.forget(address), address, \.pairFailures)
    }

    /// Records that a connection attempt must end, but does not end it.
    public func cancelConnecting(_ address: Address) { state.withLock { $0.givenUp.append(address) } }

    /// Records which advertised data is used, but removes no other data.
    public func use(serviceData services: Set<UUID>, companies: Set<UInt16>) {
        state.withLock { ($0.usedServices, $0.usedCompanies) = (services, companies) }
    }

    /// The services whose advertised data is used.
    public var usedServices: Set<UUID> { state.withLock(\.usedServices) }

    /// The companies whose manufacturer data is used.
    public var usedCompanies: Set<UInt16> { state.withLock(\.usedCompanies) }

    /// Records which adapters have no free connection.
    public func avoid(_ adapters: Set<String>) { state.withLock { $0.avoided.append(adapters) } }

    /// The adapters without a free connection, after each change.
    public var avoided: [Set<String>] { state.withLock(\.avoided) }

    /// Sets the Bluetooth proxies in the description, and reports a change.
    public func setProxies(_ proxies: [RadioDescription.Adapter]) {
        state.withLock { $0.proxies = proxies }
        for proxy in proxies { tell(proxy.isPowered ? .adapterReady(proxy.name) : .adapterLost(proxy.name)) }
    }

    /// Records which bridge uses a proxy.
    public func share(_ adapter: String, heldBy bridge: String?) {
        state.withLock { $0.shares.append(bridge ?? "own") }
    }

    /// The bridges to which proxies were left, or `own`.
    public var shares: [String] { state.withLock(\.shares) }

    /// The devices whose connection attempts had to end.
    public var givenUp: [Address] { state.withLock(\.givenUp) }

    /// Reports a device if the host is connected to it.
    public func replayIfConnected(_ address: Address) async {
        let advertisement = state.withLock { state in
            state.held[address] ?? state.known.first { $0.address == address && $0.isConnected }
        }
        if let advertisement { hear(advertisement) }
    }

    /// Reports all devices that the host is connected to or bonded with.
    public func replayKnown() async {
        let known = state.withLock { state in
            Array(state.held.values) + state.known.filter { state.held[$0.address] == nil }
        }
        for advertisement in known.sorted(by: { $0.address < $1.address })
        where advertisement.isConnected || advertisement.isPaired {
            hear(advertisement)
        }
    }

    /// Returns a host with BlueZ 5.66, one adapter and the proxies.
    public func describe() async -> RadioDescription {
        let (address, proxies) = state.withLock { ($0.adapterAddress, $0.proxies) }
        return RadioDescription(
            version: "5.66",
            adapters: [.init(name: "hci0", address: address, isPowered: true)] + proxies)
    }

    private func attempt(
        _ request: Request, _ address: Address, _ failures: WritableKeyPath<State, [Address: [RadioError]]>
    ) async throws(RadioError) {
        let (isHeld, failure) = state.withLock { state in
            state.requests.append(request)
            let failure = state[keyPath: failures][address]?.first
            if failure != nil { state[keyPath: failures][address]?.removeFirst() }
            return (state.isHolding, failure)
        }
        if let failure { throw failure }
        guard isHeld else { return }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { attempt in
                let isCancelled = state.withLock { state in
                    // Canceled before `onCancel` could find it here.
                    guard !Task.isCancelled else { return true }
                    state.attempts.append((address, attempt))
                    return false
                }
                if isCancelled { attempt.resume(returning: RadioError(.failed, "cancelled")) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                let index = state.attempts.firstIndex { $0.address == address }
                return index.map { state.attempts.remove(at: $0) }
            }
            cancelled?.attempt.resume(returning: RadioError(.failed, "cancelled"))
        }
        if let error { throw error }
    }

    private func endDiscovery() { state.withLock { $0.discoveries -= 1 } }

    private final class Token: DiscoveryToken {
        private let radio: FakeRadio
        private let isEnded = Mutex(false)

        init(radio: FakeRadio) { self.radio = radio }

        func end() async {
            let isFirst = isEnded.withLock { isEnded in
                defer { isEnded = true }
                return !isEnded
            }
            if isFirst { radio.endDiscovery() }
        }
    }
}
