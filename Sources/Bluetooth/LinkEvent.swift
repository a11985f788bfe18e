/// An event on a link.
public enum LinkEvent: Hashable, Sendable {
    /// A notified value.
    case notification(CharacteristicID, [UInt8])
    /// The link was lost; always the last event. The reason is a text, as precise as is known.
    case lost(reason: String)
    /// A new measurement of the signal strength, in dBm.
    case rssi(Int)
    /// The device has an input service that was unknown before; contains all services that the host knows of the
    /// device.
    case services(Set<UUID>)
}
