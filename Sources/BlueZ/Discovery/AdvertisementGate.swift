package import Bluetooth

/// Decides which changes of a device cause an event: changes of the signal strength once per interval, all other
/// changes immediately. Also records when each device last advertised.
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

    /// Returns whether to report a change; if so, the change is recorded as reported.
    package mutating func admits(_ advertisement: Advertisement, adapter: String, at now: Duration) -> Bool {
        if advertisement.rssi != nil { heardAt[advertisement.address] = now }
        if let last = told[advertisement.address], last.adapter == adapter {
            var same = last.advertisement
            let wasHeard = same.rssi != nil
            same.rssi = advertisement.rssi
            // A signal strength that becomes known or unknown is always reported.
            if same == advertisement, wasHeard == (advertisement.rssi != nil) {
                guard wasHeard, now - last.at >= interval else { return false }
            }
        }
        told[advertisement.address] = Told(advertisement: advertisement, adapter: adapter, at: now)
        return true
    }

    /// Makes the next call of `admits` report the device, even if nothing has changed.
    package mutating func tellAgain(_ address: Bluetooth.Address) { told[address] = nil }

    /// Returns whether a device advertised within the last `age`, and has not failed to answer a connection attempt
    /// since then.
    package func isFresh(_ address: Bluetooth.Address, _ age: Duration, at now: Duration) -> Bool {
        heardAt[address].map { now - $0 <= age } ?? false
    }

    /// Records that a device did not answer a connection attempt, so that its last advertisement no longer counts as
    /// fresh.
    package mutating func missed(_ address: Bluetooth.Address) { heardAt[address] = nil }

    package mutating func forget(_ address: Bluetooth.Address) {
        told[address] = nil
        heardAt[address] = nil
    }

    package mutating func forgetAll() { (told, heardAt) = ([:], [:]) }
}
