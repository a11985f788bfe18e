import BridgeContract
import BridgeCore
import ServiceLifecycle
import UnixSignals

/// Has the configuration read anew on SIGHUP, which is what `systemctl reload` sends.
struct ReloadService: Service {
    let bridge: Bridge
    /// SIGHUP, each time it arrives.
    let signals: UnixSignalsSequence

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { await bridge.reload() }
    }
}
