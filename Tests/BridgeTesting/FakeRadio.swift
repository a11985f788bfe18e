public import Bluetooth
public import BridgeContract
import Synchronization

/// A radio that a test plays: which devices are heard, how attempts to connect end, what becomes of adapters.
public final class FakeRadio: Radio {
    /// What the bridge asked for, in order.
    public enum Request: Hashable, Sendable {
        /// A link.
        case connect(Address)
        /// A bond.
        case pair(Address)
        /// To forget a device.
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
        var adapterAddress: Address = "00:AA:01:00:00:00"
        var discoveries = 0
        var held: [Address: Advertisement] = [:]
        var known: [Advertisement] = []
        var givenUp: [Address] = []
        var avoided: [Set<String>] = []
        var handler: (@Sendable (RadioEvent) -> Void)?
    }

    private let executor: ManualExecutor
    private let state = Mutex(State())

    /// Makes a radio with one adapter that is ready; without a name, with none.
    public init(executor: ManualExecutor, adapter: String? = "hci0") {
        self.executor = executor
        if let adapter { state.withLock { $0.adapters = [adapter] } }
    }

    // MARK: What a test does

    /// Lets a device be heard.
    public func hear(_ advertisement: Advertisement) { tell(.heard(advertisement, adapter: "hci0")) }

    /// Lets the host be connected to a device, which is told only to a caller that asks for it.
    public func connectToHost(_ advertisement: Advertisement) {
        state.withLock { $0.held[advertisement.address] = advertisement }
    }

    /// Lets the host know devices before the bridge listens.
    public func know(_ advertisements: [Advertisement]) { state.withLock { $0.known = advertisements } }

    /// Tells what happens on the air and to the adapters.
    public func tell(_ event: RadioEvent) {
        executor.perform { state.withLock(\.handler)?(event) }
    }

    /// Lets the next attempts to connect to a device fail.
    public func failConnecting(_ address: Address, _ errors: RadioError...) {
        state.withLock { $0.connectFailures[address, default: []] += errors }
    }

    /// Gives the adapter an address; two radios of one address stand for two programs of one host.
    public func setAddress(_ address: Address) { state.withLock { $0.adapterAddress = address } }

    /// Lets the next attempts to bond with a device, or to forget it, fail.
    public func failPairing(_ address: Address, _ errors: RadioError...) {
        state.withLock { $0.pairFailures[address, default: []] += errors }
    }

    /// Prepares every link before the bridge gets it.
    public func setUpLinks(_ setUp: @escaping @Sendable (FakeLink) -> Void) {
        state.withLock { $0.setUp = setUp }
    }

    /// Leaves characteristics out of the tables of links.
    public func lack(_ characteristics: Set<CharacteristicID>) {
        state.withLock { $0.lacking = characteristics }
    }

    /// Lets services be found on a device when it is connected, besides those of its characteristics.
    public func show(_ services: Set<UUID>, on address: Address) {
        state.withLock { $0.services[address] = services }
    }

    /// Lets attempts to connect or to bond wait until ``completeNext(_:)``.
    public func setHolding(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }

    /// Ends the attempt that waits longest; false if none does.
    @discardableResult
    public func completeNext(_ error: RadioError? = nil) -> Bool {
        let next = state.withLock { $0.attempts.isEmpty ? nil : $0.attempts.removeFirst() }
        guard let next else { return false }
        executor.perform { next.attempt.resume(returning: error) }
        return true
    }

    /// What the bridge asked for so far.
    public var requests: [Request] { state.withLock(\.requests) }
    /// How many wishes for discovery live.
    public var discoveries: Int { state.withLock(\.discoveries) }
    /// The links to a device, in order.
    public func links(_ address: Address) -> [FakeLink] { state.withLock { $0.links[address] ?? [] } }

    // MARK: The port

    /// Tells what happens from now on; what is there comes first.
    public func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        let adapters = state.withLock { state in
            state.handler = handler
            return state.adapters
        }
        handler(.serviceReady)
        for adapter in adapters { handler(.adapterReady(adapter)) }
        for advertisement in state.withLock(\.known) { handler(.heard(advertisement, adapter: "hci0")) }
    }

    /// Counts a wish for discovery.
    public func startDiscovery() async -> any DiscoveryToken {
        state.withLock { $0.discoveries += 1 }
        return Token(radio: self)
    }

    /// Makes a link as it was planned.
    public func connect(
        _ address: Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        try await attempt(.connect(address), address, \.connectFailures)
        let (lacking, setUp, services) = state.withLock {
            ($0.lacking, $0.setUp, $0.services[address, default: []])
        }
        var table: [CharacteristicID: CharacteristicProperties] = [:]
        for id in requirements.required + requirements.optional where !lacking.contains(id) {
            table[id] = [.read, .write, .writeWithoutResponse, .notify]
        }
        let link = FakeLink(
            address: address,
            profile: LinkProfile(
                characteristics: table, mtu: 247, services: services.union(table.keys.map(\.service))),
            adapter: "hci0",
            executor: executor, handler: handler)
        setUp(link)
        state.withLock { $0.links[address, default: []].append(link) }
        return link
    }

    /// Bonds as it was planned.
    public func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError) {
        try await attempt(.pair(address), address, \.pairFailures)
    }

    /// Forgets as it was planned.
    public func forget(_ address: Address) async throws(RadioError) {
        try await attempt(.forget(address), address, \.pairFailures)
    }

    /// Notes that the attempt to connect is to end; it does not.
    public func giveUp(_ address: Address) { state.withLock { $0.givenUp.append(address) } }

    /// Notes which adapters bear no more links.
    public func avoid(_ adapters: Set<String>) { state.withLock { $0.avoided.append(adapters) } }

    /// The adapters that bore no more links, whenever that changed.
    public var avoided: [Set<String>] { state.withLock(\.avoided) }

    /// The devices whose attempts to connect were to end.
    public var givenUp: [Address] { state.withLock(\.givenUp) }

    /// Tells of a device that the host is connected to.
    public func replayIfConnected(_ address: Address) async {
        let advertisement = state.withLock { state in
            state.held[address] ?? state.known.first { $0.address == address && $0.isConnected }
        }
        if let advertisement { hear(advertisement) }
    }

    /// Tells of all devices that the host is connected to or bonded with.
    public func replayKnown() async {
        let known = state.withLock { state in
            Array(state.held.values) + state.known.filter { state.held[$0.address] == nil }
        }
        for advertisement in known.sorted(by: { $0.address < $1.address })
        where advertisement.isConnected || advertisement.isPaired {
            hear(advertisement)
        }
    }

    /// Describes a host with BlueZ 5.66 and one adapter.
    public func describe() async -> RadioDescription {
        RadioDescription(
            version: "5.66",
            adapters: [
                .init(name: "hci0", address: state.withLock(\.adapterAddress), isPowered: true)
            ])
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
                    // Cancelled before anybody could find it here.
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
