package import Bluetooth

/// Decides which changes of a device cause an event: changes of the signal strength once per interval, all others
/// immediately. Also records when each device last advertised. A pure value.
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

    /// Whether a change is reported; records it as reported if so.
    package mutating func admits(_ advertisement: Advertisement, adapter: String, at now: Duration) -> Bool {
        if advertisement.rssi != nil { heardAt[advertisement.address] = now }
        if let last = told[advertisement.address], last.adapter == adapter {
            var same = last.advertisement
            let wasHeard = same.rssi != nil
            same.rssi = advertisement.rssi
            // The loss of the signal and its return are always reported.
            if same == advertisement, wasHeard == (advertisement.rssi != nil) {
                guard wasHeard, now - last.at >= interval else { return false }
            }
        }
        told[advertisement.address] = Told(advertisement: advertisement, adapter: adapter, at: now)
        return true
    }

    /// Makes the next change of a device count as new, even without a difference.
    package mutating func tellAgain(_ address: Bluetooth.Address) { told[address] = nil }

    /// Whether a device advertised within the last `age`, and has not been missed since.
    package func isFresh(_ address: Bluetooth.Address, _ age: Duration, at now: Duration) -> Bool {
        heardAt[address].map { now - $0 <= age } ?? false
    }

    /// Records that a device did not answer.
    package mutating func missed(_ address: Bluetooth.Address) { heardAt[address] = nil }

    package mutating func forget(_ address: Bluetooth.Address) {
        told[address] = nil
        heardAt[address] = nil
    }

    package mutating func forgetAll() { (told, heardAt) = ([:], [:]) }
}
