package import BlueZ
package import Bluetooth

/// The devices seen during a search. After its last advertisement, a device stays in the list with its last signal
/// strength.
package struct Nearby: Hashable, Sendable {
    private var heard: [Bluetooth.Address: KnownDevice] = [:]

    package init(heard: [Bluetooth.Address: KnownDevice] = [:]) {
        self.heard = heard
    }

    /// Updates the list with the devices of the host.
    package mutating func take(_ devices: [KnownDevice]) {
        for device in devices {
            let address = device.advertisement.address
            if device.advertisement.rssi != nil || device.advertisement.isConnected {
                heard[address] = device
            } else if var known = heard[address] {
                // The values that BlueZ last reported are kept: BlueZ removes the signal strength when the search ends,
                // and may report a name later than other properties.
                known.advertisement.name = device.advertisement.name ?? known.advertisement.name
                heard[address] = known
            }
        }
    }

    /// Returns the rows: recognized devices first, then other devices, each with the strongest signal first.
    package func rows(_ book: DeviceBook) -> [DeviceRow] {
        heard.values.map { DeviceRow($0, book.entries[$0.advertisement.address], book.families) }.sorted {
            left, right in
            if (left.family == nil) != (right.family == nil) { return left.family != nil }
            if left.rssi != right.rssi { return (left.rssi ?? -1000) > (right.rssi ?? -1000) }
            return left.address < right.address
        }
    }
}
