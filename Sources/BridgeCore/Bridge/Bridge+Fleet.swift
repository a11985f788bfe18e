import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// Which devices the bridge looks after: at its start, and when its configuration is read anew.
extension Bridge {
    /// What is to be done so that the devices are there that the configuration and the state file want.
    ///
    /// - Parameter before: The devices of the configuration that held until now.
    func planFleet(before: [BridgeSettings.Device]) -> FleetPlan {
        fleet.plan(
            before: before, settings, joined: kept.state.devices, joining: admission.joiningAddresses,
            rules: nameRules)
    }

    /// Closes the links of the devices that go or get another state machine, and waits for that.
    func closeLeaving(_ plan: FleetPlan) async {
        let leaving = (plan.removed + plan.changed.map(\.before)).compactMap { fleet[$0.address] }
        await withSessions(leaving) { session in
            await session.close(nil)
            await session.ended()
        }
    }

    /// Carries a plan out; the links of the devices that leave are closed already.
    ///
    /// What leaves and what changes its name does so in one step, and topics that change hands are first cleared by all
    /// devices that had them. The devices that come follow in turns of the loop.
    func carryOut(_ plan: FleetPlan) async {
        makeWay(for: plan)
        await takeUp(plan)
    }

    /// Lets go what a plan lets go, and gives all devices their names.
    func makeWay(for plan: FleetPlan) {
        for name in plan.unplaced {
            logger.error("cannot look after a device", metadata: ["device": "\(name)"])
        }
        for member in plan.removed {
            if let session = fleet[member.address] { detach(session, clearsTopics: true) }
            admission.remove(member.address)
        }
        for change in plan.changed {
            guard let session = fleet[change.before.address] else { continue }
            let isSame =
                change.before.name == change.after.name && change.before.family == change.after.family
            detach(session, clearsTopics: !isSame)
        }
        let moving = plan.renamed.compactMap { change in
            fleet[change.after.address].map { (session: $0, name: change.after.name) }
        }
        for (session, name) in moving { leaveName(session, for: name) }
        fleet.names = plan.names
        arrivals.clear()
        for (session, name) in moving { enter(session, name) }
        keepRefusedNames(plan)
        let configured = Set(settings.devices.map(\.address))
        for session in fleet.all {
            let isConfigured = configured.contains(session.address)
            session.publisher.ownership.isConfigured = isConfigured
        }
    }

    /// Takes up the devices of a plan that come, and clears what nobody publishes any more.
    func takeUp(_ plan: FleetPlan) async {
        await takeUp(plan.changed.map(\.after) + plan.added)
        guard !isStopping else { return }
        clearUnusedFeatures()
        clearStaleTopics()
        reportDevices()
    }

    /// Looks after a device no more; what is kept of it over restarts is not touched.
    func detach(_ session: DeviceSession, clearsTopics: Bool) {
        let address = session.address
        if clearsTopics {
            // First, so that nothing shows what is cleared.
            withdrawAnnouncement(address)
            session.clearTopics()
        }
        unsubscribe(session)
        leaveFormerNames(of: session)
        rememberName(of: session)
        fleet.remove(session)
        record.retire(session.counters, of: session.family.name)
        admission.forgetHeard(address)
    }
}
