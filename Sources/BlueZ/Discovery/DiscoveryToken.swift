/// Keeps discovery running until it is ended.
public final class DiscoveryToken: Sendable {
    private let number: UInt64
    private let daemon: Daemon

    init(number: UInt64, daemon: Daemon) {
        self.number = number
        self.daemon = daemon
    }

    /// Ends this wish for discovery; a second call does nothing.
    public func end() async { await daemon.endDiscovery(number) }
}
