package import Bluetooth
package import BridgeContract

/// The devices and the groups of the fleet, as this bridge has heard of them: messages in, changes out.
///
/// What is not on it says nothing before all that the broker had in store has arrived, and a broker that lost its store
/// forgets no device: only a message that clears an entry does.
package struct Roster: Sendable {
    /// What a message changed.
    package enum Change: Hashable, Sendable {
        case nothing
        /// What holds for a device; its entry is nil if it was cleared.
        case device(Address)
        case groups
        /// The message counts for nothing, for this reason.
        case refused(String)
    }

    /// How many devices are remembered: more than any fleet has.
    package static let capacity = 10_000

    package private(set) var entries: [Address: RosterEntry] = [:]
    package private(set) var groups: RosterGroups?
    /// Whether all that the broker had in store has arrived on this connection.
    package private(set) var isSettled = false
    /// Who has a name: of several that claim it the one whose entry is the oldest, on a tie the lower address.
    package private(set) var owners: [String: Address] = [:]
    private var claimants: [String: Set<Address>] = [:]
    /// What was known before this connection, and has not come on it.
    private var awaited: Set<Address> = []
    private var awaitsGroups = false
    /// The devices of which the broker has a message that was refused: this bridge does not write over it by itself.
    package private(set) var unreadable: Set<Address> = []
    /// What these messages contain of which only the name was refused.
    package private(set) var misnamed: [Address: RosterEntry] = [:]

    /// The connection to the broker is new.
    package mutating func connected() {
        isSettled = false
        awaited = Set(entries.keys)
        awaitsGroups = groups != nil
        (unreadable, misnamed) = ([], [:])
    }

    /// The connection to the broker is gone: what is known stays, and nothing is written.
    package mutating func lost() { isSettled = false }

    /// All that the broker had in store has arrived: what it did not have is dropped.
    ///
    /// - Returns: Whether that makes a difference to groups.
    package mutating func settle() -> Bool {
        isSettled = true
        for address in awaited { set(nil, at: address) }
        awaited = []
        guard awaitsGroups else { return false }
        (groups, awaitsGroups) = (nil, false)
        return true
    }

    /// A message about a device arrived; an empty one clears the entry.
    package mutating func hear(_ payload: [UInt8], of address: Address, _ reader: RosterReader) -> Change {
        awaited.remove(address)
        unreadable.remove(address)
        misnamed[address] = nil
        guard !payload.isEmpty else {
            guard entries[address] != nil else { return .nothing }
            set(nil, at: address)
            return .device(address)
        }
        guard entries[address] != nil || entries.count < Self.capacity else {
            return .refused("\(Self.capacity) devices are known; allowed: no more")
        }
        do {
            return take(try reader.entry(payload, of: address)) ? .device(address) : .nothing
        } catch {
            unreadable.insert(address)
            misnamed[address] = error.entry
            return .refused(error.description)
        }
    }

    /// A message about groups arrived; an empty one clears them.
    package mutating func hear(groups payload: [UInt8], _ reader: RosterReader) -> Change {
        let before = groups?.groups
        do { groups = payload.isEmpty ? nil : try reader.groups(payload) } catch {
            return .refused(error.description)
        }
        awaitsGroups = false
        return before == groups?.groups ? .nothing : .groups
    }

    /// Takes an entry, one that this bridge writes included.
    ///
    /// - Returns: Whether that makes a difference.
    package mutating func take(_ entry: RosterEntry) -> Bool {
        let before = entries[entry.address]
        guard before != entry else { return false }
        let owner = owners[entry.name]
        set(entry, at: entry.address)
        return !entry.isSame(as: before) || owners[entry.name] != owner
    }

    /// Drops an entry that this bridge clears.
    package mutating func drop(_ address: Address) { set(nil, at: address) }

    private mutating func set(_ entry: RosterEntry?, at address: Address) {
        let before = entries.updateValueOrRemove(entry, forKey: address)?.name
        if let before, before != entry?.name {
            claimants[before]?.remove(address)
            decide(before)
        }
        guard let name = entry?.name else { return }
        claimants[name, default: []].insert(address)
        decide(name)
    }

    private mutating func decide(_ name: String) {
        let found = claimants[name] ?? []
        if found.isEmpty { claimants[name] = nil }
        owners[name] =
            found.compactMap { entries[$0] }
            .min { ($0.time, $0.address) < ($1.time, $1.address) }?.address
    }
}

extension Dictionary {
    fileprivate mutating func updateValueOrRemove(_ value: Value?, forKey key: Key) -> Value? {
        defer { self[key] = value }
        return self[key]
    }
}
