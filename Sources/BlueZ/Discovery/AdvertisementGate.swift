package import Bluetooth

/// Decides which changes of a device are worth an event: a device that is heard ten times a second is told once
/// a second, anything but its signal strength at once. Keeps when each device was heard last. A pure value.
package struct AdvertisementGate: Hashable, Sendable {
    private struct Told: Hashable {
        var advertisement: Advertisement
        var adapter: String
        var at: Duration
    }

    private var told: [Bluetooth.Address: Told] = [:]
    private var heardAt: [Bluetooth.Address: Duration] = [:]
    private let interval: Duration

    package init(interval: Duration = .seconds(1)) { self.interval = interval }

    /// Whether to tell, remembered as told if so. `isRepeat`: nothing changed, but the device was heard.
    package mutating func admits(_ advertisement: Advertisement, adapter: String, at now: Duration) -> Bool {
        if advertisement.rssi != nil { heardAt[advertisement.address] = now }
        if let last = told[advertisement.address], last.adapter == adapter {
            var same = last.advertisement
            let wasHeard = same.rssi != nil
            same.rssi = advertisement.rssi
            // Falling silent and being heard again are news.
            if same == advertisement, wasHeard == (advertisement.rssi != nil) {
                guard wasHeard, now - last.at >= interval else { return false }
            }
        }
        told[advertisement.address] = Told(advertisement: advertisement, adapter: adapter, at: now)
        return true
    }

    /// Lets a device be told at the next change, also if nothing is news.
    package mutating func tellAgain(_ address: Bluetooth.Address) { told[address] = nil }

    /// Whether a device was heard in the last `age`, and has answered since.
    package func isFresh(_ address: Bluetooth.Address, _ age: Duration, at now: Duration) -> Bool {
        heardAt[address].map { now - $0 <= age } ?? false
    }

    /// Takes it that a device did not answer.
    package mutating func missed(_ address: Bluetooth.Address) { heardAt[address] = nil }

    package mutating func forget(_ address: Bluetooth.Address) {
        told[address] = nil
        heardAt[address] = nil
    }

    package mutating func forgetAll() { (told, heardAt) = ([:], [:]) }
}
