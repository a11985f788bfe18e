package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides which of the devices that are heard join, and knows those that are on their way in.
package struct Admission: Sendable {
    /// What becomes of a device that is heard.
    package enum Verdict: Equatable, Sendable {
        /// It joins now, as a device of this family.
        case joins(String, Joining)
        /// It may join, but was tried before: those that were tried less often come first.
        case takesTurn
        /// It may not join.
        case waits(isNew: Bool)
    }

    /// The permission that runs.
    package private(set) var permit: Permit?
    /// The devices beside the button that permits to join.
    package var button = JoinButton()
    /// The devices that are being forgotten: the host still reports their bonds.
    package var forgetting: Set<Address> = []
    private var families: [any DeviceFamily]
    private var discovered = DiscoveryBook()
    private var joining: [Address: Joining] = [:]
    /// The input devices that were not admitted as such: they are not tried again before the next permission.
    private var turnedAway: Set<Address> = []

    /// Whether the bridge let a device go that it must not have.
    package func wasTurnedAway(_ address: Address) -> Bool { turnedAway.contains(address) }

    package init(_ families: [any DeviceFamily]) { self.families = families }

    /// Takes other families.
    package mutating func use(_ families: [any DeviceFamily]) { self.families = families }

    /// Whether a device can act as a keyboard or the like.
    package static func isInput(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        family.requirements.isInputDevice || !advertisement.services.isDisjoint(with: UUID.inputServices)
    }

    /// How many more devices the permission admits, without those that are on their way in.
    package var room: Int {
        guard let permit else { return 0 }
        return permit.max - permit.admitted.count - joining.count { counts($0.key, $0.value) }
    }

    /// Whether a device on its way in is one of those that the permission admits: an earlier one may have let it in.
    private func counts(_ address: Address, _ joining: Joining) -> Bool {
        guard let permit, joining.isPermitted else { return false }
        if let named = permit.address, named != address { return false }
        return family(joining.family).map(isWelcome) ?? false
    }

    // MARK: Permissions

    /// Begins a permission; one that runs is replaced.
    ///
    /// - Returns: The device that it names, if it was heard: confirming the address that was announced is enough.
    package mutating func begin(_ new: Permit) -> Advertisement? {
        let announced = new.address.flatMap { discovered[$0] }
        permit = new
        (discovered, turnedAway) = (DiscoveryBook(), [])
        return announced?.advertisement
    }

    /// Ends the permission.
    ///
    /// - Returns: The permission that ran.
    package mutating func end() -> Permit? {
        defer { permit = nil }
        return permit
    }

    // MARK: Devices that are heard

    /// Hears a device that has not joined.
    ///
    /// - Parameter candidates: The families that it may be of, the best one first.
    package mutating func hear(
        _ advertisement: Advertisement, _ candidates: [any DeviceFamily],
        _ policy: BridgeSettings.JoinPolicy, at now: Duration
    ) -> Verdict {
        let isNew = discovered.hear(advertisement, candidates.map(\.name), at: now)
        guard let (family, joining) = admission(candidates, advertisement, policy, at: now) else {
            return .waits(isNew: isNew)
        }
        let wasTried = permit?.trials[advertisement.address] != nil
        return joining.isPermitted && wasTried ? .takesTurn : .joins(family.name, joining)
    }

    /// The first family as whose device a device may join now, and how; nil if there is none.
    private func admission(
        _ candidates: [any DeviceFamily], _ advertisement: Advertisement,
        _ policy: BridgeSettings.JoinPolicy, at now: Duration
    ) -> (family: any DeviceFamily, joining: Joining)? {
        for family in candidates {
            if let joining = admission(family, advertisement, policy, at: now) { return (family, joining) }
        }
        return nil
    }

    /// Whether a device may join now as one of a family, and how; nil if not.
    ///
    /// A device that is a keyboard too must be permitted by its address, since joining bonds it to the host. If the host
    /// is bonded with it already and its family is one of keyboards, `bluetooth.join: always` admits it, and so does a
    /// permission that names the family.
    private func admission(
        _ family: any DeviceFamily, _ advertisement: Advertisement, _ policy: BridgeSettings.JoinPolicy,
        at now: Duration
    ) -> Joining? {
        let address = advertisement.address
        let isNamed = permit?.address == address && isWelcome(family)
        guard isNamed || !turnedAway.contains(address) else { return nil }
        let isInput = Self.isInput(family, advertisement)
        var joining = Joining(
            since: now, isPermitted: (isNamed || admitsUnnamed(family, advertisement)) && room > 0,
            isByAddress: isNamed, family: family.name)
        switch policy {
        case .configured: return nil
        case .permit: return joining.isPermitted ? joining : nil
        case .always:
            if joining.isPermitted { return joining }
            joining.isByAddress = false
            return !isInput || family.requirements.isInputDevice && advertisement.isPaired ? joining : nil
        }
    }

    private func isWelcome(_ family: any DeviceFamily) -> Bool {
        permit?.families?.contains(family.name) ?? (family.joinsUnnamed || permit?.address != nil)
    }

    /// Whether the permission admits a device of a family without its address.
    private func admitsUnnamed(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        guard let permit, permit.isPlain, isWelcome(family), Self.isNear(advertisement) else { return false }
        let isKnownInput =
            permit.families != nil && family.requirements.isInputDevice && advertisement.isPaired
        return isKnownInput || !Self.isInput(family, advertisement)
    }

    private static func isNear(_ advertisement: Advertisement) -> Bool {
        advertisement.rssi != nil || advertisement.isConnected
    }

    /// Forgets that a device was heard.
    package mutating func forgetHeard(_ address: Address) { discovered.remove(address) }

    /// The host has forgotten a device.
    package mutating func forgotten(_ address: Address) { discovered.drop(address) }

    /// No adapter is ready any more: the host reports again what is there when one is.
    package mutating func radioLost() { discovered.dropAll() }

    /// A device in range that would join if its address was named, the strongest one, and its family; nil if there is
    /// none.
    package func waiting(at now: Duration) -> (address: Address, family: any DeviceFamily)? {
        let nearby = discovered.all.filter { isPresent($0, at: now) }
        let entry = nearby.max { ($0.advertisement.rssi ?? -128) < ($1.advertisement.rssi ?? -128) }
        guard let entry, let family = entry.families.first.flatMap(family) else { return nil }
        return (entry.advertisement.address, family)
    }

    /// The families that fit a device which is in range and has not joined; nil for any other.
    package func families(of address: Address, at now: Duration) -> [String]? {
        discovered[address].flatMap { isPresent($0, at: now) ? $0.families : nil }
    }

    private func isPresent(_ entry: DiscoveryBook.Entry, at now: Duration) -> Bool {
        let isFresh = entry.advertisement.rssi != nil && now - entry.heard <= .seconds(15)
        return entry.advertisement.isConnected || isFresh
    }

    // MARK: Devices on their way in

    /// The addresses of the devices on their way in, in order.
    package var joiningAddresses: [Address] { joining.keys.sorted() }

    /// A device on its way in, unless it is being let go.
    package func underWay(_ address: Address) -> Joining? {
        joining[address].flatMap { $0.isLeaving ? nil : $0 }
    }

    /// Whether a device is on its way in by a permission.
    package func isPermitted(_ address: Address) -> Bool { joining[address]?.isPermitted ?? false }

    /// Takes a device in that is let in.
    package mutating func join(_ address: Address, _ new: Joining) {
        joining[address] = new
        discovered.remove(address)
    }

    /// Notes that a device is online: it has joined.
    ///
    /// - Returns: Whether the permission has admitted its last device.
    package mutating func admit(_ address: Address) -> Bool {
        guard let entry = joining.removeValue(forKey: address), counts(address, entry) else { return false }
        permit?.admitted.append(address)
        return permit.map { $0.admitted.count >= $0.max } ?? false
    }

    /// Begins to let a device go that is on its way in.
    ///
    /// - Returns: False if it is not, or is being let go already.
    package mutating func beginLeaving(_ address: Address) -> Bool {
        guard underWay(address) != nil else { return false }
        joining[address]?.isLeaving = true
        permit?.trials[address, default: 0] += 1
        return true
    }

    /// Notes that a device is not on its way in any more.
    package mutating func remove(_ address: Address) { joining[address] = nil }

    /// Refuses an input device until the next permission.
    ///
    /// - Returns: Whether it was on its way in; a known device is left alone.
    package mutating func turnAway(_ address: Address) -> Bool {
        guard joining[address] != nil else { return false }
        if turnedAway.count >= DiscoveryBook.capacity { turnedAway = [] }
        turnedAway.insert(address)
        return true
    }

    // MARK: Turns

    /// The devices whose chance is over while the permission has no room for another one, in order.
    package func overdue(at now: Duration) -> [Address] {
        guard let permit, permit.isPlain, room < 1 else { return [] }
        let late = joining.filter { counts($0.key, $0.value) && now - $0.value.since >= Joining.patience }
        return late.keys.sorted()
    }

    /// The next device to join, and how; nil if none may.
    package func next(
        _ policy: BridgeSettings.JoinPolicy, at now: Duration, unless isMember: (Address) -> Bool
    ) -> (family: any DeviceFamily, advertisement: Advertisement, joining: Joining)? {
        guard room > 0, let entry = nextInLine(at: now, unless: isMember),
            let (family, joining) = admission(
                entry.families.compactMap(family), entry.advertisement, policy, at: now)
        else { return nil }
        return (family, entry.advertisement, joining)
    }

    /// Finds the device that is to have the next chance: of those tried least the strongest, since it is near.
    ///
    /// - Parameter isMember: Whether the bridge looks after a device.
    package func nextInLine(at now: Duration, unless isMember: (Address) -> Bool) -> DiscoveryBook.Entry? {
        guard let permit, permit.isPlain else { return nil }
        func rank(_ entry: DiscoveryBook.Entry) -> (Int, Int) {
            (permit.trials[entry.advertisement.address] ?? 0, -(entry.advertisement.rssi ?? -128))
        }
        return discovered.all.filter { entry in
            let advertisement = entry.advertisement
            guard isPresent(entry, at: now), !isMember(advertisement.address),
                !turnedAway.contains(advertisement.address)
            else { return false }
            return entry.families.compactMap(family).contains { admitsUnnamed($0, advertisement) }
        }.min { rank($0) < rank($1) }
    }

    private func family(_ name: String) -> (any DeviceFamily)? { families.named(name) }
}
