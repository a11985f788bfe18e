import Bluetooth

/// Decides which advertisements cause an event: changes of the signal strength once per interval, all other changes
/// immediately. Also records when each device last advertised, and forgets devices that no longer advertise.
struct AdvertisementGate: Hashable, Sendable {
    /// The number of devices from which devices are removed early: any radio can imitate any number of devices.
    static let maximumDevices = 1024
    /// How long a device that no longer advertises is remembered.
    static let memory = Duration.seconds(60)
    private static let tidyInterval = Duration.seconds(10)
    /// The minimum interval between events for a device of which only the signal strength changes.
    static let interval = Duration.seconds(1)
    /// The maximum age of a device's last advertisement for a connection attempt.
    static let freshness = Duration.seconds(15)

    private struct Entry: Hashable {
        var advertisement: Advertisement
        /// The time of the last event; nil if the next advertisement is reported.
        var reported: Duration?
        /// The time of the last advertisement.
        var received: Duration
        /// Whether the device has not answered a connection attempt since its last advertisement.
        var isMissed = false
    }

    private var entries: [Address: Entry] = [:]
    private var tidied = Duration.zero

    /// The latest advertisements, ordered by address.
    var known: [Advertisement] { entries.values.map(\.advertisement).sorted { $0.address < $1.address } }

    /// Returns the latest advertisement of a device; nil if there is none.
    subscript(_ address: Address) -> Advertisement? { entries[address]?.advertisement }

    /// Records an advertisement; returns whether to report it.
    mutating func admits(_ advertisement: Advertisement, at now: Duration) -> Bool {
        let address = advertisement.address
        let last = entries[address]
        var same = last?.advertisement
        same?.rssi = advertisement.rssi
        let isRecent = last?.reported.map { now - $0 < Self.interval } ?? false
        let isAdmitted = same != advertisement || !isRecent
        entries[address] = Entry(
            advertisement: advertisement, reported: isAdmitted ? now : last?.reported, received: now)
        return isAdmitted
    }

    /// Makes the next advertisement of each device an event.
    mutating func reportAgain() {
        for address in entries.keys { entries[address]?.reported = nil }
    }

    /// Makes the next advertisement of a device an event.
    mutating func reportAgain(_ address: Address) { entries[address]?.reported = nil }

    /// Whether a device advertised recently, and has not failed to answer a connection attempt since then.
    func isFresh(_ address: Address, at now: Duration) -> Bool {
        entries[address].map { !$0.isMissed && now - $0.received <= Self.freshness } ?? false
    }

    /// Records that a device did not answer a connection attempt.
    mutating func missed(_ address: Address) { entries[address]?.isMissed = true }

    /// Removes the devices that have not advertised for ``memory``, from time to time; if there are too many, at once and
    /// at least the half that advertised least recently.
    ///
    /// - Parameter isKept: Whether a device is kept, although it does not advertise.
    /// - Returns: The removed devices.
    mutating func tidy(at now: Duration, keeping isKept: (Address) -> Bool) -> [Address] {
        let isFull = entries.count >= Self.maximumDevices
        guard isFull || now - tidied >= Self.tidyInterval else { return [] }
        tidied = now
        let others = entries.filter { !isKept($0.key) }.sorted {
            ($0.value.received, $0.key) < ($1.value.received, $1.key)
        }
        let old = others.prefix { now - $0.value.received > Self.memory }.count
        let removed = others.prefix(isFull ? max(old, others.count / 2) : old).map(\.key)
        for address in removed { entries[address] = nil }
        return removed
    }
}
