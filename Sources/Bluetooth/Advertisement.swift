/// Describes a device as it is known before a connection: what it advertises and what the host remembers of it.
public struct Advertisement: Hashable, Sendable {
    /// The device's address.
    public var address: Address
    /// The name that it advertises, or that the host remembers.
    public var name: String?
    /// The service UUIDs that it advertises, or that the host remembers from an earlier connection.
    public var services: Set<UUID>
    /// What its makers advertise, by company number (Assigned Numbers, 7.1).
    public var manufacturerData: [UInt16: [UInt8]]
    /// The received signal strength in dBm; nil where the device is known but not heard now.
    public var rssi: Int?
    /// Whether the host holds a bond with it.
    public var isPaired: Bool
    /// Whether the host is connected to it, by this program or by another.
    public var isConnected: Bool

    /// Makes a description; whatever is not given is not known.
    public init(
        address: Address, name: String? = nil, services: Set<UUID> = [],
        manufacturerData: [UInt16: [UInt8]] = [:], rssi: Int? = nil, isPaired: Bool = false,
        isConnected: Bool = false
    ) {
        self.address = address
        self.name = name
        self.services = services
        self.manufacturerData = manufacturerData
        self.rssi = rssi
        self.isPaired = isPaired
        self.isConnected = isConnected
    }
}
