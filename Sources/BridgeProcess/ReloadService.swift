import BridgeContract
import BridgeCore
import ServiceLifecycle
import UnixSignals

/// Reloads the configuration on SIGHUP, which `systemctl reload` sends.
struct ReloadService: Service {
    let bridge: Bridge
    /// The SIGHUP signals.
    let signals: UnixSignalsSequence

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { await bridge.reload() }
    }
}
