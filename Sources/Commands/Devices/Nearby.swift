package import BlueZ
package import Bluetooth

/// The devices seen during a search. A device stays in the list with its last signal strength after its last
/// advertisement.
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
                // The signal strength disappears when the search ends; a name can arrive late.
                known.advertisement.name = device.advertisement.name ?? known.advertisement.name
                heard[address] = known
            }
        }
    }

    /// Returns recognized devices first, and within each part the strongest signal first.
    package func rows(_ book: DeviceBook) -> [DeviceRow] {
        heard.values.map { DeviceRow($0, book.entries[$0.advertisement.address], book.families) }.sorted {
            left, right in
            if (left.family == nil) != (right.family == nil) { return left.family != nil }
            if left.rssi != right.rssi { return (left.rssi ?? -1000) > (right.rssi ?? -1000) }
            return left.address < right.address
        }
    }
}
