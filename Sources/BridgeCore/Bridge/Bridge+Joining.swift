import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// How new devices join.
extension Bridge {
    // MARK: Advertisements

    /// Handles an advertisement of a device that has no session.
    ///
    /// - Parameter adapter: The adapter that received the advertisement; nil for an advertisement that was received
    ///   earlier.
    func consider(_ advertisement: Advertisement, over adapter: String? = nil) {
        // A device that has a name is not new: its session is about to be created.
        guard fleet.names[advertisement.address] == nil, !takeUp(advertisement, over: adapter),
            !roster.isArriving(at: ports.time.now), !admission.forgetting.contains(advertisement.address)
        else { return }
        let candidates = isStopping || draining.isOn ? [] : families.recognizing(advertisement)
        guard let best = candidates.first else { return }
        switch admission.hear(advertisement, candidates, settings.join, at: ports.time.now) {
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
        logger.info(
            "a device was discovered that has not joined",
            metadata: ["family": "\(family.name)", "address": "\(address)"])
        var event: JSON.Object = [
            "family": .string(family.name), "address": .string(address.description),
            "name": advertisement.name.map { .string($0) } ?? .null,
            "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
        ]
        if candidates.count > 1 { event["families"] = .array(candidates.map { .string($0.name) }) }
        let onlyAdvertises = family.advertising != nil
        if settings.join == .permit, room(for: 1, onlyAdvertise: onlyAdvertises) < 1 {
            event["reason"] = .string(limitComplaint(onlyAdvertise: onlyAdvertises))
        }
        if settings.join != .configured, Admission.isInput(family, advertisement) {
            let isBonded = family.requirements.isInputDevice && advertisement.isPaired
            event["advice"] = .string(
                isBonded
                    ? "the host is bonded with it; permit its family or its address: \(permitLine(address))"
                    : "it is also an input device, such as a keyboard; permit its address: \(permitLine(address))"
            )
            if admission.permit?.isPlain ?? false { nameInButton(family, address) }
        }
        if settings.join == .permit, !candidates.contains(where: \.joinsUnnamed), event["advice"] == nil {
            event["advice"] = .string(
                "permit its family or its address: \(permitLine(address))")
        }
        reportEvent("device_discovered", event)
    }

    /// In Home Assistant, lists a device next to the button that permits joining, because the button does not admit
    /// this device.
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
        logger.info("a device joined", metadata: ["device": "\(name)", "address": "\(address)"])
        addSession(
            family, address, settings: settings.settings(of: family),
            isLetIn: joining.isPermitted)
        guard let session = fleet[address] else { return }
        session.isJoining = true
        // A device that a permission (`permit_join`) admits is kept across restarts only after it has been online.
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

    // MARK: Limit

    /// Whether all these families have devices that only advertise. Such devices have their own limit, because they use
    /// no link.
    func onlyAdvertise(_ names: some Collection<String>) -> Bool {
        !names.isEmpty && names.allSatisfy { fleet.family($0)?.advertising != nil }
    }

    /// The number of devices that joined on this bridge. Devices of the configuration and of other hosts do not
    /// count.
    private func joinedCount(onlyAdvertise: Bool) -> Int {
        kept.state.devices.count {
            $0.isJoined && self.onlyAdvertise([$0.family]) == onlyAdvertise && settings[$0.address] == nil
                && !isOfFleet($0.address)
        }
    }

    /// Returns how many of `count` devices may join before the limit is reached.
    func room(for count: Int, onlyAdvertise: Bool) -> Int {
        let limit = onlyAdvertise ? settings.maxAdvertisedDevices : settings.maxDevices
        return min(count, limit - joinedCount(onlyAdvertise: onlyAdvertise))
    }

    /// The error for devices that may not join because of the limit.
    ///
    /// - Parameter asked: The number of devices that were to join.
    func limitComplaint(onlyAdvertise: Bool, asked: Int = 1) -> String {
        let count = joinedCount(onlyAdvertise: onlyAdvertise)
        let found =
            onlyAdvertise
            ? "\(count) devices that only advertise have joined, and bluetooth.max_advertised_devices is "
                + "\(settings.maxAdvertisedDevices)"
            : "\(count) devices have joined, and bluetooth.max_devices is \(settings.maxDevices)"
        return (asked > 1 ? "\(asked) devices cannot join: " : "") + found + ": forget some, or raise it"
    }

    // MARK: Joining devices

    /// Decides about a joining device after its Bluetooth connection changed: admits it when it is usable, and removes
    /// it when its time to join is over.
    func followJoining(_ session: DeviceSession) {
        guard let joining = admission.underWay(session.address) else { return }
        if session.isReady {
            admit(session)
        } else if joining.isPermitted, admission.permit == nil, session.connector.isIdle {
            remove(session, "the time to join is over")
        } else {
            makeWay()
        }
    }

    private func admit(_ session: DeviceSession) {
        let isLast = admission.admit(session.address)
        let isFamily = session.family.requirements.isInputDevice
        // A permission for a keyboard applies to a device that is a keyboard now, not to a device that becomes a
        // keyboard later.
        let isInput = !isFamily && session.connector.showsInput
        session.connector.inputs.isAllowed = isFamily || isInput
        rememberJoined(session, isInput: isInput)
        if isLast { endPermit(.admitted) }
    }

    /// Removes the joining devices that have not come online in time, if other devices wait to join.
    private func makeWay() {
        let now = ports.time.now
        for session in admission.overdue(at: now).compactMap({ fleet[$0] }) where session.connector.isIdle {
            guard admission.nextInLine(at: now, unless: { fleet[$0] != nil }) != nil else { return }
            remove(session, "it was not online in time, and other devices wait")
        }
    }

    /// Lets the next waiting devices join while there is room.
    private func fillRoom() {
        while let next = admission.next(
            settings.join, at: ports.time.now, unless: { fleet[$0] != nil })
        {
            join(next.family, next.advertisement, next.joining, over: nil)
        }
    }

    /// Disconnects a joining device and removes it with its topics, its name and, if new, its bond.
    ///
    /// - Parameter reason: The reason, for the event.
    func remove(_ session: DeviceSession, _ reason: String) {
        let address = session.address
        guard admission.beginLeaving(address) else { return }
        let leavesBond = session.connector.leavesBond
        logger.notice(
            "a joining device was removed", metadata: ["device": "\(session.name)", "reason": "\(reason)"])
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

    /// Removes a joining device that turns out to be an input device. A known device and its bond stay.
    func reject(_ session: DeviceSession, _ failure: DeviceFailure) {
        guard admission.reject(session.address) else { return }
        remove(session, "\(failure.reason); permit its address: \(permitLine(session.address))")
    }

    /// The joining devices with a new bond. Before the bridge exits, it removes these bonds, because it does not keep
    /// the devices across a restart.
    var unfinishedBonds: [Address] {
        admission.joiningAddresses.filter { address in
            admission.isPermitted(address) && fleet[address]?.connector.inputs.isBondNew == true
        }
    }

    /// Removes a bond that was created while a device was joining.
    func forgetBond(_ address: Address) async {
        do throws(RadioError) {
            try await ports.radio.forget(address)
        } catch {
            guard error.code != .unknownDevice else { return }
            logger.warning(
                "the bond of a removed device remains: remove it with bluetoothctl",
                metadata: ["address": "\(address)", "reason": "\(error)"])
        }
    }
}
