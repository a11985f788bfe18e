/// The part of a link's GATT table that the device's family uses, and other properties of the link.
public struct LinkProfile: Hashable, Sendable {
    /// The family's characteristics that the device has, with their properties.
    public var characteristics: [CharacteristicID: CharacteristicProperties]
    /// The ATT MTU in bytes; 23 if the host reports none.
    public var mtu: Int
    /// Whether the link is bonded.
    public var isPaired: Bool
    /// The device's name on the host.
    public var name: String?
    /// The UUIDs of all services of the device that the host knows, advertised or discovered, not only the services
    /// that the family uses.
    public var services: Set<UUID>
    /// The calendar time at the start of the link, in milliseconds since 1970, for devices that need the time; nil if
    /// unknown.
    public var unixMilliseconds: Int64?
    /// The offset of the host's time zone at the start of the link, in minutes east of UTC.
    public var utcOffset = 0
    /// Whether another bridge was connected to the device since this bridge's last connection, so that the device's
    /// settings may differ.
    public var isTakenOver = false
    /// Whether the link leads over a Bluetooth proxy, where no guardian can stop the device.
    public var isOverProxy = false

    /// Creates a profile.
    public init(
        characteristics: [CharacteristicID: CharacteristicProperties], mtu: Int = 23, isPaired: Bool = false,
        name: String? = nil, services: Set<UUID> = [], unixMilliseconds: Int64? = nil
    ) {
        self.characteristics = characteristics
        self.mtu = mtu
        self.isPaired = isPaired
        self.name = name
        self.services = services
        self.unixMilliseconds = unixMilliseconds
    }

    /// Whether the device has the characteristic.
    public func has(_ characteristic: CharacteristicID) -> Bool { characteristics[characteristic] != nil }
}
