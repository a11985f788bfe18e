package import Bluetooth
package import BridgeContract

/// The devices and groups on the roster, as received from the broker. Messages go in, changes come out.
///
/// A missing entry means nothing until all retained messages have arrived. If the broker has lost its retained
/// messages, no device is removed. Only a message that clears an entry removes a device.
package struct Roster: Sendable {
    /// What a message on a topic of the roster changes.
    package enum Change: Hashable, Sendable {
        case nothing
        /// The entry of a device was set or cleared.
        case device(Address)
        case groups
        /// The message is invalid and ignored, for this reason.
        case refused(String)
    }

    /// The maximum number of devices, more than any installation has.
    package static let capacity = 10_000

    package private(set) var entries: [Address: RosterEntry] = [:]
    package private(set) var groups: RosterGroups?
    /// Whether all retained messages have arrived on this broker connection.
    package private(set) var isSettled = false
    /// The owner of each name. If several devices claim a name, the oldest entry wins; on a tie, the lower address.
    package private(set) var owners: [String: Address] = [:]
    private var claimants: [String: Set<Address>] = [:]
    /// The devices known from an earlier broker connection whose entries have not arrived on this connection.
    private var awaited: Set<Address> = []
    private var awaitsGroups = false
    /// The devices with a retained message that was refused. This bridge does not overwrite such a message
    /// automatically.
    package private(set) var unreadable: Set<Address> = []
    /// The entries from messages that were refused only because of the device's name.
    package private(set) var misnamed: [Address: RosterEntry] = [:]

    /// Records a new broker connection.
    package mutating func connected() {
        isSettled = false
        awaited = Set(entries.keys)
        awaitsGroups = groups != nil
        (unreadable, misnamed) = ([], [:])
    }

    /// Records that the broker connection is lost. The entries stay, and nothing is written.
    package mutating func lost() { isSettled = false }

    /// Records that all retained messages have arrived, and drops entries that the broker does not have.
    ///
    /// - Returns: Whether the groups changed.
    package mutating func settle() -> Bool {
        isSettled = true
        for address in awaited { set(nil, at: address) }
        awaited = []
        guard awaitsGroups else { return false }
        (groups, awaitsGroups) = (nil, false)
        return true
    }

    /// Applies a message about a device; an empty message clears the entry.
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
            return .refused("more than \(Self.capacity) devices; allowed: at most \(Self.capacity)")
        }
        do {
            return take(try reader.entry(payload, of: address)) ? .device(address) : .nothing
        } catch {
            unreadable.insert(address)
            misnamed[address] = error.entry
            return .refused(error.description)
        }
    }

    /// Applies a message about groups; an empty message clears the groups.
    package mutating func hear(groups payload: [UInt8], _ reader: RosterReader) -> Change {
        let before = groups?.groups
        do { groups = payload.isEmpty ? nil : try reader.groups(payload) } catch {
            return .refused(error.description)
        }
        awaitsGroups = false
        return before == groups?.groups ? .nothing : .groups
    }

    /// Stores an entry that another bridge has published, or that this bridge writes.
    ///
    /// - Returns: Whether the name now belongs to another device, or a member of the entry changed that is neither its
    ///   author nor its time.
    package mutating func take(_ entry: RosterEntry) -> Bool {
        let before = entries[entry.address]
        guard before != entry else { return false }
        let owner = owners[entry.name]
        set(entry, at: entry.address)
        return !entry.isSame(as: before) || owners[entry.name] != owner
    }

    /// Removes the entry of a device, because this bridge clears it on the broker.
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
