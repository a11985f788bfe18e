package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides which devices in range join, and tracks the devices that are joining. A ``Permit`` is a period in which new
/// devices may join.
package struct Admission: Sendable {
    /// What happens to a device in range that has not joined.
    package enum Verdict: Equatable, Sendable {
        /// The device joins now, as a device of this family.
        case joins(String, Joining)
        /// The device may join, but an earlier attempt to connect to it failed. It waits until no device with fewer
        /// attempts is left.
        case takesTurn
        /// The device may not join. `isNew` is true if the device has not been announced as in range yet.
        case waits(isNew: Bool)
    }

    package private(set) var permit: Permit?
    /// The devices listed next to Home Assistant's join button.
    package var button = JoinButton()
    /// The devices that are being removed while the host still reports their bonds.
    package var forgetting: Set<Address> = []
    private var families: [any DeviceFamily]
    private var discovered = DiscoveryBook()
    private var joining: [Address: Joining] = [:]
    /// The input devices that were rejected, because they are not permitted as input devices. They cannot join before
    /// the next permit.
    private var turnedAway: Set<Address> = []

    /// Whether the bridge rejected a device as an input device that is not permitted.
    package func wasTurnedAway(_ address: Address) -> Bool { turnedAway.contains(address) }

    package init(_ families: [any DeviceFamily]) { self.families = families }

    package mutating func use(_ families: [any DeviceFamily]) { self.families = families }

    /// Whether a device can act as an input device, such as a keyboard.
    package static func isInput(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        family.requirements.isInputDevice || !advertisement.services.isDisjoint(with: UUID.inputServices)
    }

    /// How many more devices the current permit admits, in addition to the devices that are joining.
    package var room: Int {
        guard let permit else { return 0 }
        return permit.max - permit.admitted.count - joining.count { counts($0.key, $0.value) }
    }

    /// Whether a joining device counts toward the limit of the current permit. It does not if an earlier permit
    /// admitted it.
    private func counts(_ address: Address, _ joining: Joining) -> Bool {
        guard let permit, joining.isPermitted else { return false }
        if let named = permit.addresses, !named.contains(address) { return false }
        return family(joining.family).map(isWelcome) ?? false
    }

    // MARK: Permits

    /// Starts a permit and replaces the current permit.
    ///
    /// - Returns: The devices that the permit names, as far as they were discovered, by address. They join without
    ///   another advertisement.
    package mutating func begin(_ new: Permit) -> [Advertisement] {
        let announced = (new.addresses ?? []).sorted().compactMap { discovered[$0]?.advertisement }
        permit = new
        (discovered, turnedAway) = (DiscoveryBook(), [])
        return announced
    }

    /// Ends the permit.
    ///
    /// - Returns: The ended permit.
    package mutating func end() -> Permit? {
        defer { permit = nil }
        return permit
    }

    // MARK: Devices in range

    /// Handles an advertisement of a device that has not joined.
    ///
    /// - Parameter candidates: The matching families, the best match first.
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

    /// The first of the families as which a device may join now, and its new ``Joining``; nil if the device may not
    /// join.
    private func admission(
        _ candidates: [any DeviceFamily], _ advertisement: Advertisement,
        _ policy: BridgeSettings.JoinPolicy, at now: Duration
    ) -> (family: any DeviceFamily, joining: Joining)? {
        for family in candidates {
            if let joining = admission(family, advertisement, policy, at: now) { return (family, joining) }
        }
        return nil
    }

    /// Returns how a device may join now as a member of a family; nil if it may not.
    ///
    /// An input device must be permitted by its address, because joining bonds it to the host. If it is already bonded
    /// and the family is an input family, `bluetooth.join: always` admits it, and so does a permit that names the
    /// family.
    private func admission(
        _ family: any DeviceFamily, _ advertisement: Advertisement, _ policy: BridgeSettings.JoinPolicy,
        at now: Duration
    ) -> Joining? {
        let address = advertisement.address
        let isNamed = permit?.addresses?.contains(address) ?? false && isWelcome(family)
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
        permit?.families?.contains(family.name) ?? (family.joinsUnnamed || permit?.addresses != nil)
    }

    /// Whether the permit admits a device of a family without naming its address.
    private func admitsUnnamed(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        guard let permit, permit.isPlain, isWelcome(family), Self.isNear(advertisement) else { return false }
        let isKnownInput =
            permit.families != nil && family.requirements.isInputDevice && advertisement.isPaired
        return isKnownInput || !Self.isInput(family, advertisement)
    }

    private static func isNear(_ advertisement: Advertisement) -> Bool {
        advertisement.rssi != nil || advertisement.isConnected
    }

    /// Removes a device from the discovered devices. It is announced again when it is next in range.
    package mutating func forgetHeard(_ address: Address) { discovered.remove(address) }

    /// Records that the host has removed a device.
    package mutating func forgotten(_ address: Address) { discovered.drop(address) }

    /// Records that no adapter is ready. The host reports the devices again when an adapter is ready.
    package mutating func radioLost() { discovered.dropAll() }

    /// The device with the strongest signal that would join if its address were permitted, and its family; nil if there
    /// is none.
    package func waiting(at now: Duration) -> (address: Address, family: any DeviceFamily)? {
        let nearby = discovered.all.filter { isPresent($0, at: now) }
        let entry = nearby.max { ($0.advertisement.rssi ?? -128) < ($1.advertisement.rssi ?? -128) }
        guard let entry, let family = entry.families.first.flatMap(family) else { return nil }
        return (entry.advertisement.address, family)
    }

    /// The matching families of a device that is in range and has not joined; nil for any other device.
    package func families(of address: Address, at now: Duration) -> [String]? {
        discovered[address].flatMap { isPresent($0, at: now) ? $0.families : nil }
    }

    private func isPresent(_ entry: DiscoveryBook.Entry, at now: Duration) -> Bool {
        let isFresh = entry.advertisement.rssi != nil && now - entry.heard <= .seconds(15)
        return entry.advertisement.isConnected || isFresh
    }

    // MARK: Joining devices

    package var joiningAddresses: [Address] { joining.keys.sorted() }

    /// The joining state of a device; nil if the device is not joining, or is already being disconnected.
    package func underWay(_ address: Address) -> Joining? {
        joining[address].flatMap { $0.isLeaving ? nil : $0 }
    }

    /// Whether a permit admitted a device that is joining.
    package func isPermitted(_ address: Address) -> Bool { joining[address]?.isPermitted ?? false }

    /// Records that a device is admitted and joining.
    package mutating func join(_ address: Address, _ new: Joining) {
        joining[address] = new
        discovered.remove(address)
    }

    /// Records that a device is online for the first time, which completes its joining.
    ///
    /// - Returns: Whether the permit has now admitted its maximum number of devices, so that it must end.
    package mutating func admit(_ address: Address) -> Bool {
        guard let entry = joining.removeValue(forKey: address), counts(address, entry) else { return false }
        permit?.admitted.append(address)
        return permit.map { $0.admitted.count >= $0.max } ?? false
    }

    /// Starts to disconnect a joining device.
    ///
    /// - Returns: False if the device is not joining, or is already being disconnected.
    package mutating func beginLeaving(_ address: Address) -> Bool {
        guard underWay(address) != nil else { return false }
        joining[address]?.isLeaving = true
        permit?.trials[address, default: 0] += 1
        return true
    }

    /// Records that a device is no longer joining.
    package mutating func remove(_ address: Address) { joining[address] = nil }

    /// Rejects an input device until the next permit.
    ///
    /// - Returns: Whether the device was joining. A known device is left unchanged.
    package mutating func reject(_ address: Address) -> Bool {
        guard joining[address] != nil else { return false }
        if turnedAway.count >= DiscoveryBook.capacity { turnedAway = [] }
        turnedAway.insert(address)
        return true
    }

    // MARK: Order of joining

    /// The joining devices, sorted, whose time (``Joining/patience``) is over while the permit has no room for another
    /// device.
    package func overdue(at now: Duration) -> [Address] {
        guard let permit, permit.isPlain, room < 1 else { return [] }
        let late = joining.filter { counts($0.key, $0.value) && now - $0.value.since >= Joining.patience }
        return late.keys.sorted()
    }

    /// The next device to join, its family and its ``Joining``; nil if none may join.
    package func next(
        _ policy: BridgeSettings.JoinPolicy, at now: Duration, unless isMember: (Address) -> Bool
    ) -> (family: any DeviceFamily, advertisement: Advertisement, joining: Joining)? {
        guard room > 0, let entry = nextInLine(at: now, unless: isMember),
            let (family, joining) = admission(
                entry.families.compactMap(family), entry.advertisement, policy, at: now)
        else { return nil }
        return (family, entry.advertisement, joining)
    }

    /// Returns the device that joins next. Among the devices with the fewest attempts, this is the device with the
    /// strongest signal, which is probably the nearest.
    ///
    /// - Parameter isMember: Whether the bridge manages a device.
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
