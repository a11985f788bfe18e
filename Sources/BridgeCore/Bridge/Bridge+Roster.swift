import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging
import Messages

// The roster: the list of devices and groups that all bridges on the broker share. For a device that the bridge's own
// configuration lists, the configuration takes precedence. A bridge that only accepts configured devices ignores the
// roster.
extension Bridge {
    /// Whether the bridge adds devices from the roster and writes its own devices to it.
    var usesRoster: Bool { settings.join != .configured }

    /// The subscription to the roster. It uses QoS 0, like the echo that is sent after the subscription. So the
    /// returned echo proves that all retained entries have arrived.
    var rosterFilters: [TopicFilter] {
        usesRoster
            ? [TopicFilter(topics.roster("+"), qos: 0, receivesOwn: true, tellsStored: true)] : []
    }

    /// Whether a topic or a filter belongs to the roster.
    func isRoster(_ topic: String) -> Bool {
        if case .roster? = topics.destination(topic) { true } else { false }
    }

    func askForRoster() {
        guard usesRoster else { return }
        broker.subscriptions.askForRoster()
        roster.connected(at: ports.time.now)
    }

    /// Handles that the broker refuses access to the roster. The bridge works without the roster then.
    func rosterRefused(_ topic: String, _ reason: String) {
        guard roster.refused() else { return }
        clearStaleTopicsIfKnown()
        logger.notice(
            """
            the broker refuses the roster, so names and settings of devices stay local to this bridge; \
            tactile-bridge acl prints the rules that the bridge needs
            """,
            metadata: ["topic": "\(topic)", "reason": "\(reason)"])
    }

    /// Starts or stops using the roster after a reload of the configuration.
    func useRoster(_ before: BridgeSettings) {
        guard (before.join != .configured) != usesRoster else { return }
        guard usesRoster else { return ports.broker.unsubscribe([topics.roster("+")]) }
        if broker.status.isConnected { askForRoster() }
        ports.broker.subscribe(rosterFilters)
    }

    // MARK: Incoming entries

    /// Takes an entry of the roster about a device or about groups.
    func heardRoster(_ key: String, _ message: IncomingMessage) {
        guard usesRoster else { return }
        // This bridge wrote the entry, and the broker has it now. It must not be published again after the next
        // connect, when another bridge may have changed it.
        if roster.came(message.topic) { ports.broker.release([message.topic]) }
        let reader = RosterReader(families, rules: nameRules)
        let change: Roster.Change
        if message.payloadSize > RosterReader.groupLimit {
            change = .refused("\(message.payloadSize) bytes; allowed: \(RosterReader.groupLimit)")
        } else if key == RosterGroups.key {
            change = roster.roster.hear(groups: message.payload, reader)
        } else if let address = RosterEntry.address(of: key) {
            change = roster.roster.hear(message.payload, of: address, reader)
        } else {
            change = .refused("\(key) is not an address; allowed: an address such as c0ffee00be01, or groups")
        }
        if case .refused(let reason) = change {
            let (level, unsaid) = log.refusedEntries.take(as: .error, at: ports.time.now)
            logger.log(
                level: level, "a roster message is ignored",
                metadata: ["topic": "\(message.topic.excerpt)", "reason": "\(reason.excerpt)"]
                    .adding(unsaid: unsaid))
        }
        if roster.note(change) { applyRosterSoon() }
    }

    func rosterSettled() {
        if roster.settle() { applyRosterSoon() }
        updateDiscovery()
    }

    private func applyRosterSoon() { spawn { await $0.applyRoster() } }

    // MARK: Changes

    /// Applies the roster's names, settings and groups. One call covers all entries that have arrived.
    private func applyRoster() async {
        let changes = roster.takeChanges()
        guard !isStopping, usesRoster else { return }
        let names = Set(settings.devices.map(\.name))
        fleet.names.elsewhere = roster.roster.owners.filter { !names.contains($0.key) }
        if changes.groups { useGroups() }
        for address in changes.devices { applyEntry(of: address) }
        await closeLeaving(planFleet(before: settings.devices))
        guard !isStopping else { return }
        let plan = planFleet(before: settings.devices)
        if !plan.isEmpty {
            await carryOut(plan)
            for member in plan.removed {
                // While the session was closing, it may have stored something about the device, which must not stay.
                if changes.devices.contains(member.address) { keep { $0.forget(member.address) } }
                reportEvent(
                    "device_left", Self.describe(member).adding("reason", "it was removed from the roster"))
            }
        }
        for session in changes.devices.compactMap({ fleet[$0] }) {
            announceSoon(session)
            session.considerMove()
        }
        if !changes.devices.isEmpty { reportDevices() }
        writeMissing()
        updateDiscovery()
        clearStaleTopicsIfKnown()
    }

    /// Copies the roster's entry of a device that the bridge manages into the state that is kept across restarts.
    private func applyEntry(of address: Address) {
        guard settings[address] == nil, let known = kept[address], known.isJoined else { return }
        guard let entry = roster.roster.entries[address] else { return keep { $0.forget(address) } }
        guard let family = fleet.family(entry.family), mayBecome(family, entry, known) else { return }
        let name = allowedName(entry, family) ?? known.name
        keep { kept in
            kept.remember(known, at: address) { device in
                (device.name, device.family, device.settings) = (name, entry.family, entry.settings)
            }
        }
    }

    /// Whether the roster may change the family of a known device. It may not if a Bluetooth connection has already
    /// confirmed the family, or if either family can hurt you.
    private func mayBecome(
        _ family: any DeviceFamily, _ entry: RosterEntry, _ known: BridgeState.Device
    ) -> Bool {
        guard family.name != known.family else { return true }
        let canHurt = [family, fleet.family(known.family)].contains { $0?.motionLimits([:]) != nil }
        guard canHurt || (fleet[entry.address]?.counters.links ?? 0) > 0 else { return true }
        logger.warning(
            "a roster entry is ignored, because it gives a known device another family; forget the device first",
            metadata: [
                "device": "\(known.name)", "family": "\(known.family)", "roster_family": "\(family.name)",
                "by": "\(entry.by)",
            ])
        return false
    }

    /// The groups in force: those of the configuration, and those of the roster whose names are free on this bridge.
    var groupsInForce: [BridgeSettings.Group] {
        let own = Set(settings.groups.map(\.name))
        let shared = (roster.roster.groups?.groups ?? []).filter { group in
            !own.contains(group.name)
                && !settings.devices.contains {
                    $0.name == group.name || $0.name.hasPrefix(group.name + "/")
                }
        }
        return settings.groups + shared
    }

    // MARK: Devices in range

    /// Creates a session for a device in range that is on the roster.
    ///
    /// - Returns: Whether the session was created.
    func takeUp(_ advertisement: Advertisement, over adapter: String?) -> Bool {
        let address = advertisement.address
        guard usesRoster, !isStopping, !draining.isOn, !admission.wasTurnedAway(address),
            let entry = roster.roster.entries[address],
            let family = fleet.family(entry.family)
        else { return false }
        let isTaken = allowedName(entry, family).map { fleet.names.assign($0, to: address, of: family) }
        if isTaken != true { _ = fleet.names.assign(family, address) }
        let name = fleet.names[address] ?? entry.name
        logger.info("this bridge adopted a device from the roster", metadata: ["device": "\(name)"])
        admission.forgetHeard(address)
        if admission.button.remove(address) { announceBridge() }
        let device = BridgeState.Device(
            address: address, family: family.name, name: name, settings: entry.settings)
        keep { $0.remember(device, at: address) { $0.isJoined = true } }
        addSession(family, address, settings: settings.settings(of: family, with: entry.settings))
        guard let session = fleet[address] else { return false }
        reportDevices()
        reportEvent("device_joined", describe(session))
        session.heard(advertisement, over: adapter)
        return true
    }

    /// Whether the roster lists devices that may come in range and that the bridge does not manage yet.
    var awaitsRosterDevice: Bool {
        guard usesRoster, !draining.isOn else { return false }
        return roster.roster.entries.contains { fleet[$0.key] == nil && fleet.family($0.value.family) != nil }
    }

    /// Whether a device came to this bridge through the roster, because another host admitted it. Such a device does
    /// not count as joined on this bridge.
    func isOfFleet(_ address: Address) -> Bool {
        guard usesRoster, let entry = roster.roster.entries[address] else { return false }
        return entry.by != settings.id
    }
}
