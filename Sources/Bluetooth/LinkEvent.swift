/// An event on a link.
public enum LinkEvent: Hashable, Sendable {
    /// A notified value.
    case notification(CharacteristicID, [UInt8])
    /// The link was lost; always the last event. The reason is a text for users.
    case lost(reason: String)
    /// A new measurement of the signal strength, in dBm.
    case rssi(Int)
    /// The device turned out to have a service of an input device, such as a keyboard. The value contains all services
    /// of the device that the host knows.
    case services(Set<UUID>)
}
