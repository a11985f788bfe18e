/// The GATT table of a link, as far as it concerns the family.
public struct LinkProfile: Hashable, Sendable {
    /// Which of the family's characteristics are there, with their properties.
    public var characteristics: [CharacteristicID: CharacteristicProperties]
    /// The ATT MTU in bytes; 23 where the host tells none.
    public var mtu: Int
    /// Whether the link is bonded.
    public var isPaired: Bool
    /// The name that the host knows the device by.
    public var name: String?
    /// The UUIDs of all services that the host knows of the device, advertised or found; not the family's alone.
    public var services: Set<UUID>
    /// The calendar's time when the link was there, in milliseconds since 1970, for devices that want to be told; nil
    /// where it is not known.
    public var unixMilliseconds: Int64?
    /// Whether another bridge had the device since this one had it last, so that the device may have been told otherwise.
    public var isTakenOver = false

    /// Makes a profile.
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

    /// Whether the characteristic is there.
    public func has(_ characteristic: CharacteristicID) -> Bool { characteristics[characteristic] != nil }
}
