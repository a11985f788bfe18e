package import Bluetooth
package import BridgeContract
import EventLoop

/// The radio of a bridge with Bluetooth proxies: the adapters of the host, and the proxies next to them.
///
/// A device is used over the radio that is connected to it, otherwise over the radio that has a bond with it, otherwise
/// over a radio with a free slot, otherwise over the radio with the strongest signal (``ReceiverTable``).
package actor CompositeRadio: Radio {
    /// A link that a proxy refused for lack of slots, although it had reported a free one.
    struct Refusal {
        var freeSlots: Int?
        var at: Duration
    }

    let host: any Radio
    let proxies: [any ProxyReceiver]
    let now: @Sendable () -> Duration
    var table = ReceiverTable()
    var refusals: [Int: Refusal] = [:]
    /// The adapters that support no further link, as the bridge counts them.
    var full: Set<String> = []
    /// The adapters of the host that are ready.
    var hostAdapters: Set<String> = []
    private var listener: (@Sendable (RadioEvent) -> Void)?
    private let executor: any SerialExecutor

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Combines radios. All of them report on the executor, which is the bridge's.
    ///
    /// - Parameter now: Returns the time since boot.
    package init(
        host: any Radio, proxies: [any ProxyReceiver], executor: any SerialExecutor,
        now: @escaping @Sendable () -> Duration
    ) {
        (self.host, self.proxies, self.executor, self.now) = (host, proxies, executor, now)
    }

    package nonisolated func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        assumeIsolated { $0.listen(handler) }
    }

    package func startDiscovery() async -> any DiscoveryToken {
        var tokens = [await host.startDiscovery()]
        for proxy in proxies { tokens.append(await proxy.startDiscovery()) }
        return CompositeToken(tokens: tokens)
    }

    package nonisolated func use(serviceData services: Set<UUID>, companies: Set<UInt16>) {
        assumeIsolated { composite in
            for radio in composite.radios { radio.use(serviceData: services, companies: companies) }
        }
    }

    package nonisolated func avoid(_ adapters: Set<String>) {
        assumeIsolated { composite in
            composite.full = adapters
            for radio in composite.radios { radio.avoid(adapters) }
        }
    }

    package nonisolated func share(_ adapter: String, heldBy bridge: String?) {
        assumeIsolated { composite in
            for proxy in composite.proxies { proxy.share(adapter, heldBy: bridge) }
        }
    }

    package nonisolated func cancelConnecting(_ address: Address) {
        assumeIsolated { composite in
            for radio in composite.radios { radio.cancelConnecting(address) }
        }
    }

    package func replayIfConnected(_ address: Address) async {
        for radio in radios { await radio.replayIfConnected(address) }
    }

    package func replayKnown() async {
        for radio in radios { await radio.replayKnown() }
    }

    /// The state of each proxy, for the metrics.
    package func figures() -> [ProxyFigures] {
        proxies.map { proxy in
            ProxyFigures(
                name: proxy.adapter, freeSlots: proxy.freeSlots, advertisements: proxy.advertisementCount)
        }
    }

    package func describe() async -> RadioDescription {
        var description = await host.describe()
        for proxy in proxies { description.adapters += await proxy.describe().adapters }
        return description
    }

    /// All radios, by their numbers.
    var radios: [any Radio] { [host] + proxies }

    // MARK: Events

    private func listen(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        listener = handler
        for (number, radio) in radios.enumerated() {
            radio.onEvent { event in self.enter(with: (event, number)) { $0.handle($1.0, from: $1.1) } }
        }
    }

    private func handle(_ event: RadioEvent, from number: Int) {
        switch event {
        case .heard(let advertisement, let adapter):
            let isUsed = table.heard(
                advertisement, over: adapter, by: number, at: now(), standing: standing)
            if isUsed { listener?(event) }
            return
        case .forgotten(let address):
            guard table.forget(address, by: number, at: now()) else { return }
        case .adapterReady(let name):
            if number == ReceiverTable.host { hostAdapters.insert(name) }
        case .adapterLost(let name), .adapterHeld(let name, _):
            hostAdapters.remove(name)
            table.lost(name)
        case .serviceLost:
            hostAdapters = []
            table.lostHost(at: now())
        case .serviceReady, .adaptersAbsent: break
        }
        listener?(event)
    }

    /// The state of a radio with regard to a device.
    func standing(_ number: Int, _ advertisement: Advertisement) -> ReceiverTable.Standing {
        guard number != ReceiverTable.host else {
            return ReceiverTable.Standing(
                isConnected: advertisement.isConnected, isBonded: advertisement.isPaired,
                isFull: isFull(number))
        }
        let proxy = proxies[number - 1]
        return ReceiverTable.Standing(
            isConnected: proxy.isConnected(advertisement.address),
            isBonded: proxy.hasBond(advertisement.address), isFull: isFull(number))
    }

    /// Whether a radio supports no further link. After the refusal of a proxy, its next report of slots decides.
    func isFull(_ number: Int) -> Bool {
        guard number != ReceiverTable.host else {
            return !hostAdapters.isEmpty && hostAdapters.isSubset(of: full)
        }
        let proxy = proxies[number - 1]
        guard let free = proxy.freeSlots, free > 0, !full.contains(proxy.adapter) else { return true }
        guard let refusal = refusals[number], refusal.freeSlots == free else { return false }
        return now() - refusal.at < ReceiverTable.failureTime
    }
}

/// The requests for discovery on all radios.
private struct CompositeToken: DiscoveryToken {
    let tokens: [any DiscoveryToken]

    func end() async {
        for token in tokens { await token.end() }
    }
}
