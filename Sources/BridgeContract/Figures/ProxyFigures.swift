/// The state of a Bluetooth proxy, for monitoring programs.
package struct ProxyFigures: Hashable, Sendable {
    /// The adapter name of the proxy: `proxy/kitchen`.
    package var name: String
    /// The number of further links that the proxy supports; nil while the bridge cannot use the proxy.
    package var freeSlots: Int?
    /// The number of advertisements that the proxy has delivered.
    package var advertisements: Int

    package init(name: String, freeSlots: Int?, advertisements: Int) {
        (self.name, self.freeSlots, self.advertisements) = (name, freeSlots, advertisements)
    }
}
