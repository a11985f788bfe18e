import Bluetooth
package import DBus

/// Chooses the adapter for a device that several adapters know.
package enum Placement {
    /// Returns the device object to use, among adapters that are on and allowed. A connected object is preferred, then
    /// a bonded object, since another adapter would need a new bond. The next criteria are an adapter that supports
    /// further links, and the strongest signal.
    package static func choose(
        _ devices: [Device], usable: Set<ObjectPath>, full: Set<String> = []
    ) -> Device? {
        let candidates = devices.filter { usable.contains($0.adapter) }
        return candidates.max { left, right in
            if left.isConnected != right.isConnected { return right.isConnected }
            if left.isPaired != right.isPaired { return right.isPaired }
            let isFull = (full.contains(left.adapter.name), full.contains(right.adapter.name))
            if isFull.0 != isFull.1 { return isFull.0 }
            if left.rssi != right.rssi { return (left.rssi ?? -1000) < (right.rssi ?? -1000) }
            return left.path > right.path
        }
    }
}
