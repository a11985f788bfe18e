/// What happens on a link.
public enum LinkEvent: Hashable, Sendable {
    /// A value was notified.
    case notification(CharacteristicID, [UInt8])
    /// The link is gone; the last event. The words say why, as far as it is known.
    case lost(reason: String)
    /// The signal strength was measured anew, in dBm.
    case rssi(Int)
    /// The device shows an input service that was not known before; all services that the host knows of it now.
    case services(Set<UUID>)
}
