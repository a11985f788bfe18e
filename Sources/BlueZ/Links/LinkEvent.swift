public import Bluetooth
import DBus

/// What happens on a link.
public enum LinkEvent: Hashable, Sendable {
    /// A value was notified.
    case notification(CharacteristicID, [UInt8])
    /// The link is gone; the last event. The words say why, as far as it is known.
    case lost(reason: String)
    /// The device was heard anew while connected: its signal strength in dBm.
    case rssi(Int)
    /// The device shows an input service that was not known before; all services that bluetoothd knows of it now.
    case services(Set<UUID>)
}

/// How a value is written.
public enum WriteKind: Hashable, Sendable {
    /// A write request, which the device acknowledges; a long write where the value is longer than the MTU.
    case withResponse
    /// A write command, which the device does not acknowledge.
    case withoutResponse

    /// What bluetoothd is told of it.
    var options: Value { .properties(["type": .string(self == .withResponse ? "request" : "command")]) }
}
