/// A request for discovery, active until ``end()``.
public final class DiscoveryToken: Sendable {
    private let number: UInt64
    private let client: Client

    init(number: UInt64, client: Client) {
        self.number = number
        self.client = client
    }

    /// Withdraws the request; a second call does nothing.
    public func end() async { await client.endDiscovery(number) }
}
