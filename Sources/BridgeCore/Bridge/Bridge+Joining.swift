import Bluetooth
import DeviceKit
import JSON
import Logging

// How new devices come to the bridge.
extension Bridge {
    // MARK: Devices that are heard

    /// A device was heard that nobody looks after yet.
    func consider(_ advertisement: Advertisement) {
        let candidates = isStopping ? [] : families.recognizing(advertisement)
        guard let family = candidates.first else { return }
        let address = advertisement.address
        let isNew = discovered.hear(advertisement, family.name, at: world.time.now)
        if let joining = admission(family, advertisement) {
            guard joining.isPermitted, permit?.trials[address] != nil else {
                return join(family, advertisement, joining)
            }
            return fillRoom()
        }
        if isNew { announceDiscovered(candidates.map(\.name), family, advertisement) }
        makeWay()
    }

    private func announceDiscovered(
        _ candidates: [String], _ family: any DeviceFamily, _ advertisement: Advertisement
    ) {
        let address = advertisement.address
        logger.info("discovered", metadata: ["family": "\(family.name)", "address": "\(address)"])
        var event: JSON.Object = [
            "family": .string(family.name), "address": .string(address.description),
            "name": advertisement.name.map { .string($0) } ?? .null,
            "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
        ]
        if candidates.count > 1 { event["families"] = .array(candidates.map { .string($0) }) }
        if settings.join == .permit, room(for: 1) < 1 { event["reason"] = .string(limitComplaint) }
        if settings.join != .configured, Self.isInput(family, advertisement) {
            event["advice"] = .string(
                "it is a keyboard or the like too, and joins by its address only: \(permitLine(address))")
            if permit?.isPlain ?? false { nameInButton(family, address) }
        }
        if settings.join == .permit, !family.joinsUnnamed, event["advice"] == nil {
            event["advice"] = .string(
                "it joins by its family or its address only: permit_join {\"families\":[\"\(family.name)\"]}")
        }
        reportEvent("device_discovered", event)
    }

    private func join(_ family: any DeviceFamily, _ advertisement: Advertisement, _ joining: Joining) {
        let address = advertisement.address
        self.joining[address] = joining
        discovered.remove(address)
        unnameInButton(address)
        let name = names.assign(family, address)
        logger.info("joined", metadata: ["device": "\(name)", "address": "\(address)"])
        addSession(
            family, address, settings: settings.families[family.name] ?? Arguments(),
            isLetIn: joining.isPermitted)
        guard let session = sessions[address] else { return }
        // One that is let in is remembered when it has been online.
        if !joining.isPermitted { rememberJoined(session) }
        reportDevices()
        reportEvent("device_joined", describe(session))
        let isPermitted = settings.join == .permit
        if joining.isByAddress { session.inputs.isAllowed = true }
        if isPermitted { session.join() }
        session.heard(advertisement)
    }

    private func rememberJoined(_ session: DeviceSession, isInput: Bool = false) {
        let name = names[session.address] ?? session.family.name
        remember(session) { device in
            device.name = name
            (device.isJoined, device.isInput) = (true, isInput)
        }
    }

    // MARK: Who may join

    /// Whether a device may join now, and how; nil if not.
    ///
    /// One that is a keyboard too needs a word for its address, since joining bonds it to the host; where that is done
    /// already, and its family is one of keyboards, `bluetooth.join: always` has nothing to ask.
    private func admission(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Joining? {
        let address = advertisement.address
        let isNamed = permit?.address == address && isWelcome(family)
        guard isNamed || !turnedAway.contains(address) else { return nil }
        let isInput = Self.isInput(family, advertisement)
        let isNear = advertisement.rssi != nil || advertisement.isConnected
        let isLetIn = isNamed || isNear && !isInput && (permit?.isPlain ?? false) && isWelcome(family)
        var joining = Joining(since: world.time.now, isPermitted: isLetIn && room > 0, isByAddress: isNamed)
        switch settings.join {
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

    private static func isInput(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        family.requirements.isInputDevice || !advertisement.services.isDisjoint(with: UUID.inputServices)
    }

    /// How many more devices the permission admits, those left out that are on their way in.
    private var room: Int {
        guard let permit else { return 0 }
        return permit.max - permit.admitted.count - joining.values.count(where: \.isPermitted)
    }

    /// How many devices have joined; those of the configuration do not count.
    private var joinedCount: Int {
        state.devices.count { $0.isJoined && settings[$0.address] == nil }
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
        guard let joining = joining[session.address], !joining.isLeaving else { return }
        if session.isReady {
            admit(session, joining)
        } else if joining.isPermitted, permit == nil, session.isIdle {
            letGo(session, "the time to join is over")
        } else {
            makeWay()
        }
    }

    private func admit(_ session: DeviceSession, _ joining: Joining) {
        self.joining[session.address] = nil
        let isFamily = session.family.requirements.isInputDevice
        // A permission for a keyboard holds for what is one now, not for what becomes one later.
        let isInput = !isFamily && session.showsInput
        session.inputs.isAllowed = isFamily || isInput
        rememberJoined(session, isInput: isInput)
        guard joining.isPermitted, permit != nil else { return }
        permit?.admitted.append(session.address)
        if let permit, permit.admitted.count >= permit.max { endPermit(.admitted) }
    }

    /// Lets those go whose chance is over, if others wait for theirs.
    private func makeWay() {
        guard let permit, permit.isPlain, room < 1 else { return }
        let now = world.time.now
        let late = joining.filter { $0.value.isPermitted && now - $0.value.since >= Joining.patience }
        for address in late.keys.sorted() {
            guard let session = sessions[address], session.isIdle else { continue }
            guard nextInLine(evenWithoutRoom: true) != nil else { return }
            letGo(session, "it was not online in time, and others wait")
        }
    }

    /// Lets those in who wait.
    private func fillRoom() {
        while let next = nextInLine(evenWithoutRoom: false), let family = family(next.family),
            let joining = admission(family, next.advertisement)
        {
            join(family, next.advertisement, joining)
        }
    }

    /// The device that is to have the next chance: of those tried least the strongest, since it is near.
    private func nextInLine(evenWithoutRoom: Bool) -> DiscoveryBook.Entry? {
        guard let permit, permit.isPlain, evenWithoutRoom || room > 0 else { return nil }
        let now = world.time.now
        func rank(_ entry: DiscoveryBook.Entry) -> (Int, Int) {
            (permit.trials[entry.advertisement.address] ?? 0, -(entry.advertisement.rssi ?? -128))
        }
        return discovered.all.filter { entry in
            let advertisement = entry.advertisement
            guard now - entry.heard <= .seconds(15), advertisement.rssi != nil || advertisement.isConnected,
                sessions[advertisement.address] == nil, !turnedAway.contains(advertisement.address),
                let family = family(entry.family)
            else { return false }
            return isWelcome(family) && !Self.isInput(family, advertisement)
        }.min { rank($0) < rank($1) }
    }

    /// Lets a device go that was on its way in: its link, its topics, its name, and its bond if that is new.
    ///
    /// - Parameter reason: Why, for the event.
    func letGo(_ session: DeviceSession, _ reason: String) {
        let address = session.address
        guard joining[address]?.isLeaving == false else { return }
        joining[address]?.isLeaving = true
        permit?.trials[address, default: 0] += 1
        let leavesBond = session.leavesBond
        logger.notice(
            "let go", metadata: ["device": "\(session.name)", "reason": "\(reason)"])
        spawn(about: session) { bridge, session in
            await bridge.letGoAll(session, reason, leavesBond: leavesBond)
        }
    }

    private func letGoAll(_ session: DeviceSession, _ reason: String, leavesBond: Bool) async {
        if leavesBond { await forgetBond(session.address) }
        await remove(session, reason: reason)
        joining[session.address] = nil
        fillRoom()
    }

    /// A device turned out to be an input device that nobody let in as one. If it was on its way in it is let go; a known
    /// one is left alone, with its bond.
    func turnAway(_ session: DeviceSession, _ failure: DeviceFailure) {
        guard joining[session.address] != nil else { return }
        if turnedAway.count >= DiscoveryBook.capacity { turnedAway = [] }
        turnedAway.insert(session.address)
        letGo(session, "\(failure.reason), and joins by its address only: \(permitLine(session.address))")
    }

    /// The devices on their way in whose bond is new: nobody knows them after the bridge has ended.
    var unfinishedBonds: [Address] {
        joining.keys.sorted().filter { address in
            joining[address]?.isPermitted == true
                && sessions[address]?.inputs.isBondNew == true
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
