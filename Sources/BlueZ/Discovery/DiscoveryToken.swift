/// Keeps discovery running until it is ended.
public final class DiscoveryToken: Sendable {
    private let number: UInt64
    private let client: Client

    init(number: UInt64, client: Client) {
        self.number = number
        self.client = client
    }

    /// Ends this wish for discovery; a second call does nothing.
    public func end() async { await client.endDiscovery(number) }
}
