/// The names of adapters: `hci0` for an adapter of the host, `proxy/kitchen` for a Bluetooth proxy on the network.
public enum AdapterName {
    /// The start of the name of a proxy.
    public static let proxyPrefix = "proxy/"

    /// The start of the description of a bridge that uses an adapter; its id follows.
    public static let holdingBridge = "bridge "

    /// Whether the name is that of a Bluetooth proxy.
    public static func isProxy(_ name: String) -> Bool { name.hasPrefix(proxyPrefix) }
}
