public import Bluetooth
public import DeviceKit

/// Keeps the emergency stops of devices across restarts, one ``Latch`` for each device. It never blocks the bridge's
/// executor.
public protocol LatchStore: Sendable {
    /// Reads the latches (stored emergency stops) of all devices.
    func load() async -> KeptLatches
    /// Creates the latch of a device that has none; an existing latch stays unchanged.
    ///
    /// - Returns: Why the latch cannot be created; nil if the disk now has a latch of the device.
    func make(_ latch: Latch, of address: Address) async -> String?
    /// Changes a latch, or creates it if it is missing. Changes of one device are made in the order of the calls.
    ///
    /// - Returns: Why the latch is not stored; nil if it is on the disk.
    func keep(_ latch: Latch, of address: Address) async -> String?
}

/// The latches (emergency stops) that an earlier run stored.
public enum KeptLatches: Hashable, Sendable {
    /// The stored latches, by device.
    case known([Address: Latch])
    /// The latches cannot be read, for this reason.
    case unreadable(String)
}
