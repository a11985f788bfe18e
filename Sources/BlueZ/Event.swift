public import Bluetooth

/// What happens on the air, to the adapters and to bluetoothd.
public enum Event: Hashable, Sendable {
    /// A device was heard, or is known to the host, or something of it changed; a missing RSSI means that it is
    /// not heard at the moment. Of several adapters that know it, the best one is told.
    case heard(Advertisement, adapter: String)
    /// The host forgot the device.
    case forgotten(Bluetooth.Address)
    /// The adapter is there and switched on.
    case adapterReady(Adapter)
    /// The adapter is gone or was switched off; the reason in words.
    case adapterLost(name: String, reason: String)
    /// Another program has the adapter, perhaps from now on: it must not be used, and links on it are to be closed.
    case adapterHeld(name: String, by: AdapterHolder)
    /// bluetoothd is there and its objects are known.
    case serviceReady
    /// bluetoothd or the bus is away; the reason in words.
    case serviceLost(reason: String)
}

/// What the host's Bluetooth is, for people.
public struct Description: Hashable, Sendable {
    /// Whether bluetoothd is there.
    public var isRunning: Bool
    /// Its version, where an adapter tells it: `5.66`.
    public var version: String?
    /// All adapters, those that are not used too.
    public var adapters: [Adapter]
}
