import Bluetooth
import DeviceKit
import Logging

// Which devices the bridge looks after: at its start, and when its configuration is read anew.
extension Bridge {
    /// What is to be done so that the devices are there that the configuration and the state file want.
    ///
    /// - Parameter before: The devices of the configuration that held until now.
    func planFleet(before: [BridgeSettings.Device]) -> FleetPlan {
        let present = sessions.values.map { session in
            FleetPlan.Member(
                name: session.name, family: session.family.name, revision: session.family.revision,
                address: session.address, settings: session.settings)
        }
        var joined = state.devices
        for address in joining.keys.sorted() {
            guard let session = sessions[address], let name = names[address] else { continue }
            joined.removeAll { $0.address == address }
            joined.append(BridgeState.Device(address: address, family: session.family.name, name: name))
        }
        let reserved = settings.reservedNames.union(groups.names).union(["bridge"])
        return FleetPlan(
            present: present.sorted { $0.name < $1.name }, before: before, settings: settings,
            joined: joined, names: names.cleared(reserved: reserved), families: families)
    }

    /// Closes the links of the devices that go or get another state machine, and waits for that.
    func closeLeaving(_ plan: FleetPlan) async {
        let leaving = (plan.removed + plan.changed.map(\.before)).compactMap { sessions[$0.address] }
        await withSessions(leaving) { session in
            await session.close(nil)
            await session.ended()
        }
    }

    /// Carries a plan out, in one step; the links of those who leave are closed already.
    ///
    /// Topics that change hands are first cleared by all who had them.
    func carryOut(_ plan: FleetPlan) {
        for name in plan.unplaced {
            logger.error("cannot look after a device", metadata: ["device": "\(name)"])
        }
        for member in plan.removed {
            if let session = sessions[member.address] { detach(session, clearsTopics: true) }
            joining[member.address] = nil
        }
        for change in plan.changed {
            guard let session = sessions[change.before.address] else { continue }
            let isSame =
                change.before.name == change.after.name && change.before.family == change.after.family
            detach(session, clearsTopics: !isSame)
        }
        let moving = plan.renamed.compactMap { change in
            sessions[change.after.address].map { (session: $0, name: change.after.name) }
        }
        for (session, name) in moving { leaveName(session, for: name) }
        names = plan.names
        for (session, name) in moving { enter(session, name) }
        let configured = Set(settings.devices.map(\.address))
        for session in sessions.values {
            let isConfigured = configured.contains(session.address)
            session.ownership.isConfigured = isConfigured
        }
        for member in plan.changed.map(\.after) + plan.added {
            guard let family = family(member.family) else { continue }
            addSession(family, member.address, settings: member.settings)
        }
        clearStaleTopics()
        reportDevices()
    }

    /// Looks after a device no more; what is kept of it over restarts is not touched.
    func detach(_ session: DeviceSession, clearsTopics: Bool) {
        let address = session.address
        if clearsTopics {
            session.clearTopics()
            withdrawAnnouncement(address)
        }
        unsubscribe(session)
        leaveFormerNames(of: session)
        rememberName(of: session)
        if let gate = session.gate { formerGates[address] = gate }
        sessions[address] = nil
        retiredCounters[session.family.name, default: DeviceCounters()].add(
            session.counters)
        names.release(address)
        discovered.remove(address)
    }
}
