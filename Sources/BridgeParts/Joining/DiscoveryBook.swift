package import Bluetooth

/// The devices that were discovered and have not joined. Strong signals have priority, and among equally strong signals
/// the newer one.
///
/// Any radio can imitate any number of devices, each with its own address. Imitations must not displace a device that
/// is near. If the book is full, a stale entry is replaced first, then the weakest entry, and the oldest among equally
/// weak ones. The cost of each step does not depend on the number of entries.
package struct DiscoveryBook: Sendable {
    package struct Entry: Sendable {
        /// The names of the matching families, the best match first.
        package var families: [String]
        package var advertisement: Advertisement
        /// The adapter that received the last advertisement.
        package var adapter: String?
        /// When the last advertisement was received.
        package var heard: Duration
        fileprivate var before: Int?
        fileprivate var after: Int?
    }

    package static let capacity = 1000
    /// The maximum number of addresses remembered as announced, so that devices which come and go are announced once.
    package static let memory = 8 * capacity
    /// The time without an advertisement after which an entry may be replaced by any other.
    package static let staleness = Duration.seconds(120)
    /// How much stronger a new device must be than the device it replaces, in dB. Signal strength fluctuates.
    package static let margin = 3

    private static let weakest = -128
    private static let strengths = 150

    private var entries: [Entry] = []
    private var places: [Address: Int] = [:]
    private var free: [Int] = []
    /// For each signal strength, the first entry of a linked list that starts with the oldest advertisement.
    private var heads: [Int?] = Array(repeating: nil, count: strengths)
    private var tails: [Int?] = Array(repeating: nil, count: strengths)
    private var announced: Set<Address> = []
    private var announcedOrder: [Address] = []
    private var oldestAnnounced = 0

    package var count: Int { places.count }

    package subscript(address: Address) -> Entry? { places[address].map { entries[$0] } }

    /// All entries, in no particular order.
    package var all: some Sequence<Entry> { places.values.lazy.map { entries[$0] } }

    /// Records an advertisement.
    ///
    /// - Returns: Whether to announce the device: it is kept, and was not announced before.
    package mutating func hear(
        _ advertisement: Advertisement, _ families: [String], over adapter: String? = nil, at now: Duration
    ) -> Bool {
        let address = advertisement.address
        if let place = places[address] {
            unlink(place)
            entries[place].heard = now
            (entries[place].families, entries[place].adapter) = (families, adapter)
            // Without an RSSI the host knows the device but has not received an advertisement now, so the last RSSI
            // stays.
            let rssi = advertisement.rssi ?? entries[place].advertisement.rssi
            entries[place].advertisement = advertisement
            entries[place].advertisement.rssi = rssi
            link(place)
            return false
        }
        guard makeRoom(for: advertisement, at: now) else { return false }
        let entry = Entry(families: families, advertisement: advertisement, adapter: adapter, heard: now)
        let place: Int
        if let freed = free.popLast() {
            place = freed
            entries[place] = entry
        } else {
            place = entries.count
            entries.append(entry)
        }
        places[address] = place
        link(place)
        return announce(address)
    }

    /// Drops a device that is gone. It is not announced again if it returns.
    package mutating func drop(_ address: Address) { if let place = places[address] { drop(place) } }

    /// Drops all devices. They are not announced again if they return.
    package mutating func dropAll() { for place in Array(places.values) { drop(place) } }

    /// Drops a device. It is announced again if it returns.
    package mutating func remove(_ address: Address) {
        if let place = places[address] { drop(place) }
        announced.remove(address)
    }

    private mutating func drop(_ place: Int) {
        unlink(place)
        places[entries[place].advertisement.address] = nil
        free.append(place)
    }

    private mutating func makeRoom(for advertisement: Advertisement, at now: Duration) -> Bool {
        guard count >= Self.capacity else { return true }
        let own = Self.strength(advertisement)
        let oldest = heads.lazy.compactMap { $0 }.min { entries[$0].heard < entries[$1].heard }
        if let oldest, now - entries[oldest].heard > Self.staleness {
            drop(oldest)
            return true
        }
        guard let weakest = heads.firstIndex(where: { $0 != nil }), weakest + Self.margin <= own,
            let place = heads[weakest]
        else { return false }
        drop(place)
        return true
    }

    /// Marks a device as announced. If there are too many marks, the oldest mark is removed.
    private mutating func announce(_ address: Address) -> Bool {
        guard announced.insert(address).inserted else { return false }
        if announcedOrder.count < Self.memory {
            announcedOrder.append(address)
        } else {
            announced.remove(announcedOrder[oldestAnnounced])
            announcedOrder[oldestAnnounced] = address
            oldestAnnounced = (oldestAnnounced + 1) % Self.memory
        }
        return true
    }

    // MARK: Linked lists

    /// A device that is connected to or bonded with the host cannot be imitated, and keeps its entry.
    private static func strength(_ advertisement: Advertisement) -> Int {
        guard !advertisement.isConnected, !advertisement.isPaired else { return strengths - 1 }
        return min(max((advertisement.rssi ?? weakest) - weakest, 0), strengths - 1)
    }

    private mutating func link(_ place: Int) {
        let strength = Self.strength(entries[place].advertisement)
        (entries[place].before, entries[place].after) = (tails[strength], nil)
        if let last = tails[strength] { entries[last].after = place } else { heads[strength] = place }
        tails[strength] = place
    }

    private mutating func unlink(_ place: Int) {
        let strength = Self.strength(entries[place].advertisement)
        let (before, after) = (entries[place].before, entries[place].after)
        if let before { entries[before].after = after } else { heads[strength] = after }
        if let after { entries[after].before = before } else { tails[strength] = before }
    }
}
