public import Bluetooth

/// What a server must know of one virtual device to serve it.
public struct Peripheral: Hashable, Sendable {
    /// The name that the scenario gives it; the key in every call of ``World``.
    public var name: String
    /// The address at which a look-alike serves it; a real adapter has its own.
    public var address: Address
    /// Whether the address is a random one.
    public var hasRandomAddress: Bool
    /// The signal strength at which it is heard, in dBm.
    public var rssi: Int
    /// The ATT MTU that it agrees to, in bytes.
    public var mtu: Int
    /// Whether it has a bond with the host from the start, where the server can bring one about.
    public var isBonded: Bool
    /// What it advertises now.
    public var advertisement: VirtualAdvertisement
    /// Its GATT table now.
    public var services: [VirtualService]
}
