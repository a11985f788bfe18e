public import Bluetooth
import DBus

/// A device as the host currently knows it.
public struct KnownDevice: Hashable, Sendable {
    /// The advertisement, with the properties that BlueZ has cached.
    public var advertisement: Advertisement
    /// The adapter that has the link; otherwise the adapter with the bond; otherwise the adapter with the strongest
    /// signal.
    public var adapter: String
    /// The charge in percent, if bluetoothd itself reads the device's battery service.
    public var battery: Int?

    /// Creates a record of a device.
    public init(advertisement: Advertisement, adapter: String, battery: Int? = nil) {
        self.advertisement = advertisement
        self.adapter = adapter
        self.battery = battery
    }
}

extension Client {
    /// Returns all devices that BlueZ lists, ordered by address, including devices of adapters that are off.
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
