package import Bluetooth
package import BridgeContract

/// A radio that is one Bluetooth proxy: it has one adapter. All members are used on the bridge's executor only.
package protocol ProxyReceiver: Radio {
    /// The name of its adapter, such as `proxy/kitchen`.
    var adapter: String { get }
    /// The number of further devices that it can connect; nil while the proxy is not ready.
    var freeSlots: Int? { get }
    /// The number of advertisements that it has delivered.
    var advertisementCount: Int { get }
    /// Whether it is connected to the device, or connects to it.
    func isConnected(_ address: Address) -> Bool
    /// Whether the proxy is known to have a bond with the device.
    func hasBond(_ address: Address) -> Bool
}
