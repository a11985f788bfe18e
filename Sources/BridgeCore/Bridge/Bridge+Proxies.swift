import Bluetooth
import BridgeContract
import BridgeParts
import Claims

// The Bluetooth proxies that several bridges are configured with.
extension Bridge {
    /// Uses the proxies that no other bridge uses, and leaves the others to their bridges. Without a broker nothing
    /// changes, because the other bridges are unknown.
    func shareProxies() {
        guard broker.status.isConnected, !isStopping else { return }
        let now = ports.time.now
        var next: Duration?
        for adapter in radio.description.adapters {
            switch sharing.decide(adapter, own: topics.bridge, broker.peers, at: now) {
            case .use: ports.radio.share(adapter.name, heldBy: nil)
            case .leave(let bridge): ports.radio.share(adapter.name, heldBy: bridge)
            case .wait(let moment): next = min(next ?? moment, moment)
            case nil: break
            }
        }
        if let next { startTimer(.proxies, at: next) }
    }
}
