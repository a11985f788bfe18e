package import BlueZ
package import Bluetooth

/// What was heard during a search: a device stays in it with its last signal, even if it falls silent.
package struct Nearby: Hashable, Sendable {
    private var heard: [Bluetooth.Address: KnownDevice] = [:]

    package init(heard: [Bluetooth.Address: KnownDevice] = [:]) {
        self.heard = heard
    }

    /// Takes what the host knows now.
    package mutating func take(_ devices: [KnownDevice]) {
        for device in devices {
            let address = device.advertisement.address
            if device.advertisement.rssi != nil || device.advertisement.isConnected {
                heard[address] = device
            } else if var known = heard[address] {
                // The signal goes when the search ends, a name can come late.
                known.advertisement.name = device.advertisement.name ?? known.advertisement.name
                heard[address] = known
            }
        }
    }

    /// The recognised ones first, the loudest of each first.
    package func rows(_ book: DeviceBook) -> [DeviceRow] {
        heard.values.map { DeviceRow($0, book.entries[$0.advertisement.address], book.families) }.sorted {
            left, right in
            if (left.family == nil) != (right.family == nil) { return left.family != nil }
            if left.rssi != right.rssi { return (left.rssi ?? -1000) > (right.rssi ?? -1000) }
            return left.address < right.address
        }
    }
}
