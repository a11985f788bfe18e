import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// How new devices come to the bridge.
extension Bridge {
    // MARK: Devices that are heard

    /// Hears a device that the bridge does not look after.
    ///
    /// - Parameter adapter: The adapter that hears it; nil where it was heard earlier.
    func consider(_ advertisement: Advertisement, over adapter: String? = nil) {
        // One that has a name is known, and is about to be taken up.
        guard fleet.names[advertisement.address] == nil, !takeUp(advertisement, over: adapter),
            !roster.isArriving(at: world.time.now), !admission.forgetting.contains(advertisement.address)
        else { return }
        let candidates = isStopping || draining.isOn ? [] : families.recognizing(advertisement)
        guard let best = candidates.first else { return }
        switch admission.hear(advertisement, candidates, settings.join, at: world.time.now) {
        case .joins(let name, let joining):
            join(candidates.named(name) ?? best, advertisement, joining, over: adapter)
        case .takesTurn: fillRoom()
        case .waits(let isNew):
            if isNew { announceDiscovered(candidates, best, advertisement) }
            makeWay()
        }
    }

    private func announceDiscovered(
        _ candidates: [any DeviceFamily], _ family: any DeviceFamily, _ advertisement: Advertisement
    ) {
        let address = advertisement.address
        logger.info("discovered", metadata: ["family": "\(family.name)", "address": "\(address)"])
        var event: JSON.Object = [
            "family": .string(family.name), "address": .string(address.description),
            "name": advertisement.name.map { .string($0) } ?? .null,
            "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
        ]
        if candidates.count > 1 { event["families"] = .array(candidates.map { .string($0.name) }) }
        if settings.join == .permit, room(for: 1) < 1 { event["reason"] = .string(limitComplaint) }
        if settings.join != .configured, Admission.isInput(family, advertisement) {
            let isBonded = family.requirements.isInputDevice && advertisement.isPaired
            event["advice"] = .string(
                isBonded
                    ? "the host is bonded with it: it joins by its family or its address: \(permitLine(address))"
                    : "it is a keyboard or the like too, and joins by its address only: \(permitLine(address))"
            )
            if admission.permit?.isPlain ?? false { nameInButton(family, address) }
        }
        if settings.join == .permit, !candidates.contains(where: \.joinsUnnamed), event["advice"] == nil {
            event["advice"] = .string(
                "it joins by its family or its address only: \(permitLine(address))")
        }
        reportEvent("device_discovered", event)
    }

    /// Names a device beside Home Assistant's button that permits to join.
    private func nameInButton(_ family: any DeviceFamily, _ address: Address) {
        let text = "\(family.displayName) \(address): \(permitLine(address))"
        if admission.button.add(address, text) { announceBridge() }
    }

    private func join(
        _ family: any DeviceFamily, _ advertisement: Advertisement, _ joining: Joining, over adapter: String?
    ) {
        let address = advertisement.address
        admission.join(address, joining)
        if admission.button.remove(address) { announceBridge() }
        let name = fleet.names.assign(family, address)
        logger.info("joined", metadata: ["device": "\(name)", "address": "\(address)"])
        addSession(
            family, address, settings: settings.settings(of: family),
            isLetIn: joining.isPermitted)
        guard let session = fleet[address] else { return }
        // A device that a permission lets in is remembered when it has been online.
        if !joining.isPermitted { rememberJoined(session) }
        reportDevices()
        reportEvent("device_joined", describe(session))
        let isPermitted = settings.join == .permit
        if joining.isByAddress { session.connector.inputs.isAllowed = true }
        if isPermitted { session.connector.join() }
        session.heard(advertisement, over: adapter)
    }

    private func rememberJoined(_ session: DeviceSession, isInput: Bool = false) {
        let name = fleet.names[session.address] ?? session.family.name
        remember(session) { device in
            device.name = name
            (device.isJoined, device.isInput) = (true, isInput)
        }
        writeRoster(session.address)
    }

    // MARK: The limit

    /// How many devices have joined here; those of the configuration and of other hosts do not count.
    private var joinedCount: Int {
        kept.state.devices.count { $0.isJoined && settings[$0.address] == nil && !isOfFleet($0.address) }
    }

    /// How many of so many devices may join before there are too many.
    func room(for count: Int) -> Int { min(count, settings.maxDevices - joinedCount) }

    var limitComplaint: String {
        "\(joinedCount) devices have joined, and bluetooth.max_devices is \(settings.maxDevices): forget some, or "
            + "raise it"
    }

    // MARK: On the way in

    /// Something changed about the link of a device that may be on its way in.
    func followJoining(_ session: DeviceSession) {
        guard let joining = admission.underWay(session.address) else { return }
        if session.isReady {
            admit(session)
        } else if joining.isPermitted, admission.permit == nil, session.connector.isIdle {
            letGo(session, "the time to join is over")
        } else {
            makeWay()
        }
    }

    private func admit(_ session: DeviceSession) {
        let isLast = admission.admit(session.address)
        let isFamily = session.family.requirements.isInputDevice
        // A permission for a keyboard holds for what is one now, not for what becomes one later.
        let isInput = !isFamily && session.connector.showsInput
        session.connector.inputs.isAllowed = isFamily || isInput
        rememberJoined(session, isInput: isInput)
        if isLast { endPermit(.admitted) }
    }

    /// Lets the devices go whose chance is over, if others wait for theirs.
    private func makeWay() {
        let now = world.time.now
        for session in admission.overdue(at: now).compactMap({ fleet[$0] }) where session.connector.isIdle {
            guard admission.nextInLine(at: now, unless: { fleet[$0] != nil }) != nil else { return }
            letGo(session, "it was not online in time, and others wait")
        }
    }

    /// Lets the next devices in while there is room.
    private func fillRoom() {
        while let next = admission.next(
            settings.join, at: world.time.now, unless: { fleet[$0] != nil })
        {
            join(next.family, next.advertisement, next.joining, over: nil)
        }
    }

    /// Lets a device go that was on its way in: its link, its topics, its name, and its bond if that is new.
    ///
    /// - Parameter reason: Why, for the event.
    func letGo(_ session: DeviceSession, _ reason: String) {
        let address = session.address
        guard admission.beginLeaving(address) else { return }
        let leavesBond = session.connector.leavesBond
        logger.notice(
            "let go", metadata: ["device": "\(session.name)", "reason": "\(reason)"])
        spawn(about: session) { bridge, session in
            await bridge.letGoAll(session, reason, leavesBond: leavesBond)
        }
    }

    private func letGoAll(_ session: DeviceSession, _ reason: String, leavesBond: Bool) async {
        if leavesBond { await forgetBond(session.address) }
        await remove(session, reason: reason)
        admission.remove(session.address)
        fillRoom()
    }

    /// Lets a device go that turned out to be an input device on its way in; a known one is left alone, with its bond.
    func turnAway(_ session: DeviceSession, _ failure: DeviceFailure) {
        guard admission.turnAway(session.address) else { return }
        letGo(session, "\(failure.reason), and joins by its address only: \(permitLine(session.address))")
    }

    /// The devices on their way in whose bond is new: they are not kept over a restart.
    var unfinishedBonds: [Address] {
        admission.joiningAddresses.filter { address in
            admission.isPermitted(address) && fleet[address]?.connector.inputs.isBondNew == true
        }
    }

    /// Removes a bond that was made while a device was on its way in.
    func forgetBond(_ address: Address) async {
        do throws(RadioError) {
            try await world.radio.forget(address)
        } catch {
            guard error.code != .unknownDevice else { return }
            logger.warning(
                "a device that was let go keeps its bond: remove it with bluetoothctl",
                metadata: ["address": "\(address)", "reason": "\(error)"])
        }
    }
}
