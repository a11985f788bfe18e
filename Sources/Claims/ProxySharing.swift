package import Bluetooth

/// Decides which bridge uses each Bluetooth proxy that several bridges are configured with. Pure.
///
/// From ESPHome 2026.7 on, a proxy serves its newest client, so two bridges that both subscribed would take it from each
/// other without end. Therefore a bridge does not subscribe while the `info` of another online bridge reports that it
/// uses the proxy, identified by its address. If no bridge uses it, the bridges follow in the order of ``Rendezvous``.
package struct ProxySharing: Sendable {
    /// What to do about a proxy.
    package enum Decision: Hashable, Sendable {
        case use
        /// Another bridge uses the proxy.
        case leave(to: String)
        /// Decide again at this time.
        case wait(until: Duration)
    }

    private struct Proxy: Sendable {
        /// Whether this bridge was the last one that used the proxy.
        var isOurs = false
        /// Whether another bridge was the last one, which may still close its connections.
        var isLeft = false
        /// Since when this bridge could use the proxy, and no other bridge does.
        var freeSince: Duration?
    }

    /// How long a bridge waits for each bridge that precedes it, which has to subscribe and to publish its `info`.
    static let pause = Duration.seconds(3)

    private var proxies: [String: Proxy] = [:]

    package init() {}

    /// Decides about a proxy after a change of its state, or of the other bridges.
    ///
    /// - Parameter own: The id of this bridge.
    /// - Returns: The decision; nil if nothing changes.
    package mutating func decide(
        _ adapter: RadioDescription.Adapter, own: String, _ peers: Peers, at now: Duration
    ) -> Decision? {
        guard let address = adapter.address, let sharing = adapter.sharing, peers.areKnown(at: now) else {
            proxies[adapter.name]?.freeSince = nil
            return nil
        }
        var proxy = proxies[adapter.name] ?? Proxy()
        defer { proxies[adapter.name] = proxy }
        guard sharing != .used else {
            proxy = Proxy(isOurs: true)
            return nil
        }
        if let user = peers.user(ofProxy: address, at: now) {
            proxy = Proxy(isLeft: true)
            return .leave(to: user)
        }
        // The program that has taken the proxy would lose it without a message.
        guard sharing == .waiting else {
            proxy = Proxy()
            return nil
        }
        let begin = proxy.freeSince ?? now
        proxy.freeSince = begin
        let others = peers.bridges(withProxy: address)
        let isFirst = proxy.isOurs || others.isEmpty && !proxy.isLeft
        let place = isFirst ? 0 : 1 + Rendezvous.place(of: own, among: others, for: address)
        let due = begin + Self.pause * place
        return due <= now ? .use : .wait(until: due)
    }
}
