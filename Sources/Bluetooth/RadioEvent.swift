/// What happens on the air and to the adapters.
public enum RadioEvent: Hashable, Sendable {
    /// A device was heard, or is known to the host, or something of it changed; a missing RSSI means that it is not
    /// heard at the moment. Of several adapters that know it, the best one is told.
    case heard(Advertisement, adapter: String)
    /// The host forgot a device.
    case forgotten(Address)
    /// An adapter is there and powered.
    case adapterReady(String)
    /// An adapter is gone or was switched off.
    case adapterLost(String)
    /// Another program has the adapter, in words which one; links on it are to be closed in good order. It is ready,
    /// or lost, when that is told next.
    case adapterHeld(String, by: String)
    /// The adapters that the configuration names, as it names them, and the host does not have; none where all are
    /// there. Told whenever that changes.
    case adaptersAbsent([String])
    /// The Bluetooth service is there.
    case serviceReady
    /// The Bluetooth service, or the bus to it, is gone.
    case serviceLost(reason: String)
}
