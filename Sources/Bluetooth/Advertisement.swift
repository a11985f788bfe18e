/// A device as known before a connection: its advertisement and the properties that the host has cached.
public struct Advertisement: Hashable, Sendable {
    /// The device's address.
    public var address: Address
    /// The advertised name, or the name that the host has cached.
    public var name: String?
    /// The advertised service UUIDs, or the UUIDs that the host has cached from an earlier connection.
    public var services: Set<UUID>
    /// The advertised manufacturer data, by company number (Assigned Numbers, 7.1).
    public var manufacturerData: [UInt16: [UInt8]]
    /// The advertised service data, by service, without the UUID.
    public var serviceData: [UUID: [UInt8]]
    /// The received signal strength in dBm; nil for a known device that is out of range.
    public var rssi: Int?
    /// Whether the host has a bond with the device.
    public var isPaired: Bool
    /// Whether the host is connected to the device, by this program or by another.
    public var isConnected: Bool

    /// Whether the host had this data before the bridge started, so that its age is unknown.
    public var isCached = false

    /// Creates a description; omitted values are unknown.
    public init(
        address: Address, name: String? = nil, services: Set<UUID> = [],
        manufacturerData: [UInt16: [UInt8]] = [:], serviceData: [UUID: [UInt8]] = [:], rssi: Int? = nil,
        isPaired: Bool = false,
        isConnected: Bool = false
    ) {
        self.address = address
        self.name = name
        self.services = services
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.rssi = rssi
        self.isPaired = isPaired
        self.isConnected = isConnected
    }
}
