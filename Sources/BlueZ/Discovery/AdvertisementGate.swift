package import Bluetooth

/// Decides which changes of a device are worth an event: a device that is heard ten times a second is told once
/// a second, anything but its signal strength at once. A pure value.
package struct AdvertisementGate: Hashable, Sendable {
    private struct Told: Hashable {
        var advertisement: Advertisement
        var adapter: String
        var at: Duration
    }

    private var told: [Bluetooth.Address: Told] = [:]
    private let interval: Duration

    package init(interval: Duration = .seconds(1)) { self.interval = interval }

    /// Whether to tell, remembered as told if so. `isRepeat`: nothing changed, but the device was heard.
    package mutating func admits(_ advertisement: Advertisement, adapter: String, at now: Duration) -> Bool {
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

    package mutating func forget(_ address: Bluetooth.Address) { told[address] = nil }

    package mutating func forgetAll() { told = [:] }
}
