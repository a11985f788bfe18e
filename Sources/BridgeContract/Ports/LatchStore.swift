public import Bluetooth
public import DeviceKit

/// Keeps the emergency stops of devices over restarts. It never blocks the bridge's executor.
public protocol LatchStore: Sendable {
    /// Reads the latches of all devices.
    func load() async -> KeptLatches
    /// Makes the latch of a device that has none; one that exists is left as it is.
    ///
    /// - Returns: Why there is no latch; nil if there is one, on the disk.
    func make(_ latch: Latch, of address: Address) async -> String?
    /// Changes a latch, and makes it if it is missing. Changes of one device are made in the order of the calls.
    ///
    /// - Returns: Why it is not kept; nil if it is, on the disk.
    func keep(_ latch: Latch, of address: Address) async -> String?
}

/// The latches that were kept.
public enum KeptLatches: Hashable, Sendable {
    /// Those that exist.
    case known([Address: Latch])
    /// They cannot be read, for this reason.
    case unreadable(String)
}
