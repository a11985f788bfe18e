import Bluetooth

/// Decides which advertisements cause an event: changes of the signal strength once per interval, all other changes
/// immediately. Also records when each device last advertised.
struct AdvertisementGate: Hashable, Sendable {
    /// The maximum number of devices.
    static let maximumDevices = 1024
    /// The minimum interval between events for a device of which only the signal strength changes.
    static let interval = Duration.seconds(1)
    /// The maximum age of a device's last advertisement for a connection attempt.
    static let freshness = Duration.seconds(15)

    private struct Entry: Hashable {
        var advertisement: Advertisement
        /// The time of the last event; nil if the next advertisement is reported.
        var told: Duration?
        /// The time of the last advertisement; nil if the device has not answered a connection attempt since then.
        var heard: Duration?
    }

    private var entries: [Address: Entry] = [:]

    /// The latest advertisements, ordered by address.
    var known: [Advertisement] { entries.values.map(\.advertisement).sorted { $0.address < $1.address } }

    /// Returns the latest advertisement of a device; nil if there is none.
    subscript(_ address: Address) -> Advertisement? { entries[address]?.advertisement }

    /// Records an advertisement; returns whether to report it.
    mutating func admits(_ advertisement: Advertisement, at now: Duration) -> Bool {
        let address = advertisement.address
        let last = entries[address]
        if last == nil, entries.count >= Self.maximumDevices { makeSpace(at: now) }
        var same = last?.advertisement
        same?.rssi = advertisement.rssi
        let isRecent = last?.told.map { now - $0 < Self.interval } ?? false
        let isAdmitted = same != advertisement || !isRecent
        entries[address] = Entry(
            advertisement: advertisement, told: isAdmitted ? now : last?.told, heard: now)
        return isAdmitted
    }

    /// Makes the next advertisement of each device an event.
    mutating func tellAgain() {
        for address in entries.keys { entries[address]?.told = nil }
    }

    /// Makes the next advertisement of a device an event.
    mutating func tellAgain(_ address: Address) { entries[address]?.told = nil }

    /// Whether a device advertised recently, and has not failed to answer a connection attempt since then.
    func isFresh(_ address: Address, at now: Duration) -> Bool {
        entries[address]?.heard.map { now - $0 <= Self.freshness } ?? false
    }

    /// Records that a device did not answer a connection attempt.
    mutating func missed(_ address: Address) { entries[address]?.heard = nil }

    /// Removes the devices that no longer advertise; all devices if there are too many.
    private mutating func makeSpace(at now: Duration) {
        entries = entries.filter { address, _ in isFresh(address, at: now) }
        if entries.count >= Self.maximumDevices { entries = [:] }
    }
}
