/// An event of devices in range or of the adapters.
public enum RadioEvent: Hashable, Sendable {
    /// A device advertised, is known to the host, or has changed. If the RSSI is nil, the device is not in range. If
    /// several adapters know the device, only the best adapter is reported.
    case heard(Advertisement, adapter: String)
    /// The host removed a device.
    case forgotten(Address)
    /// An adapter is present and powered.
    case adapterReady(String)
    /// An adapter was removed or switched off.
    case adapterLost(String)
    /// Another program, described in words, owns the adapter; links on it have to be disconnected cleanly. The next
    /// event for the adapter reports that it is ready or lost.
    case adapterHeld(String, by: String)
    /// The configured adapters that the host does not have, as written in the configuration; empty if all are present.
    /// Reported at every change.
    case adaptersAbsent([String])
    /// The Bluetooth service is available.
    case serviceReady
    /// The Bluetooth service, or the bus to it, is unavailable.
    case serviceLost(reason: String)
}
