public import Bluetooth
import DBus

/// A device as the host knows it now.
public struct KnownDevice: Hashable, Sendable {
    /// What it advertises, and what the host remembers of it.
    public var advertisement: Advertisement
    /// The adapter that has the link, else the bond, else hears it best.
    public var adapter: String
    /// The charge in percent, where bluetoothd reads the device's battery service by itself.
    public var battery: Int?

    /// Describes a device.
    public init(advertisement: Advertisement, adapter: String, battery: Int? = nil) {
        self.advertisement = advertisement
        self.adapter = adapter
        self.battery = battery
    }
}

extension Client {
    /// Lists what the host knows or hears, by address; devices of adapters that are switched off too.
    public func devices() -> [KnownDevice] {
        let allowed = Set(tree.adapters.values.filter { adapters.isAllowed($0) }.map(\.path))
        return tree.places.keys.sorted().compactMap { address in
            guard
                let device = best(address)
                    ?? Placement.choose(tree.devices(address), usable: allowed, full: adapters.full)
            else { return nil }
            return KnownDevice(
                advertisement: device.advertisement, adapter: device.adapter.name,
                battery: battery(of: address))
        }
    }
}
