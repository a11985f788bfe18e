public import Bluetooth

/// What a server must know about a virtual device.
public struct Peripheral: Hashable, Sendable {
    /// The scenario name, which identifies the device in every call of ``World``.
    public var name: String
    /// The address in a simulated service. A real adapter uses its own address.
    public var address: Address
    /// Whether the address is random.
    public var hasRandomAddress: Bool
    /// The signal strength of the device's advertisements, in dBm.
    public var rssi: Int
    /// The maximum ATT MTU that the device accepts, in bytes.
    public var mtu: Int
    /// Whether the device has a bond with the host from the start, if the server supports this.
    public var isBonded: Bool
    /// The current advertisement.
    public var advertisement: VirtualAdvertisement
    /// The current GATT table.
    public var services: [VirtualService]
}
