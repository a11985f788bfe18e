package import Bluetooth

/// Keeps the devices that were heard and have not joined: the strongest, and of those the newest.
///
/// Any radio can advertise any number of look-alikes, at as many addresses. They must not hide a device that is near:
/// where the book is full, an entry that was not heard for long makes room, else the weakest one, of several the
/// one that was heard longest ago. Every step takes the same time, however many entries there are.
package struct DiscoveryBook: Sendable {
    /// A device that was heard.
    package struct Entry: Sendable {
        /// The names of the families that it may be of, the best one first.
        package var families: [String]
        package var advertisement: Advertisement
        /// The adapter that heard it last.
        package var adapter: String?
        /// When it was heard last.
        package var heard: Duration
        fileprivate var before: Int?
        fileprivate var after: Int?
    }

    /// How many devices are kept.
    package static let capacity = 1000
    /// How many more addresses are remembered as announced, so that those which come and go are not announced each time.
    package static let memory = 8 * capacity
    /// After how long unheard an entry makes room for any other.
    package static let staleness = Duration.seconds(120)
    /// By how much a device must be stronger than the one that makes room for it: signal strength sways.
    package static let margin = 3

    private static let weakest = -128
    private static let strengths = 150

    private var entries: [Entry] = []
    private var places: [Address: Int] = [:]
    private var free: [Int] = []
    /// The entries of each strength in a chain, the one heard longest ago first.
    private var heads: [Int?] = Array(repeating: nil, count: strengths)
    private var tails: [Int?] = Array(repeating: nil, count: strengths)
    private var announced: Set<Address> = []
    private var announcedOrder: [Address] = []
    private var oldestAnnounced = 0

    package var count: Int { places.count }

    /// The device as it was heard last.
    package subscript(address: Address) -> Entry? { places[address].map { entries[$0] } }

    /// All entries, in no order.
    package var all: some Sequence<Entry> { places.values.lazy.map { entries[$0] } }

    /// A device was heard.
    ///
    /// - Returns: Whether it is to be announced: it is kept, and was not announced before.
    package mutating func hear(
        _ advertisement: Advertisement, _ families: [String], over adapter: String? = nil, at now: Duration
    ) -> Bool {
        let address = advertisement.address
        if let place = places[address] {
            unlink(place)
            entries[place].heard = now
            (entries[place].families, entries[place].adapter) = (families, adapter)
            // Known to the host, but not heard just now: what was heard before stays.
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

    /// Drops a device that is not there any more; if it comes back, it is not announced again.
    package mutating func drop(_ address: Address) { if let place = places[address] { drop(place) } }

    /// Drops all devices, as ``drop(_:)`` does.
    package mutating func dropAll() { for place in Array(places.values) { drop(place) } }

    /// Forgets a device.
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

    /// Remembers that a device is announced, and forgets the oldest such memory where there are too many.
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

    // MARK: The chains

    /// A device that the host is connected to or bonded with has no equal on the air, and keeps its place.
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
