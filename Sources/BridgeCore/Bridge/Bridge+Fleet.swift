import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// The set of devices that the bridge manages, at its start and after a reload of the configuration.
extension Bridge {
    /// Plans which devices to add, change or remove, so that the bridge has the devices of the configuration and the
    /// state file.
    ///
    /// - Parameter before: The devices of the previous configuration.
    func planFleet(before: [BridgeSettings.Device]) -> FleetPlan {
        fleet.plan(
            before: before, settings, joined: kept.state.devices, joining: admission.joiningAddresses,
            rules: nameRules)
    }

    /// Disconnects the devices that a plan removes or that get a new state machine, and returns when they are
    /// disconnected.
    func closeLeaving(_ plan: FleetPlan) async {
        let leaving = (plan.removed + plan.changed.map(\.before)).compactMap { fleet[$0.address] }
        await withSessions(leaving) { session in
            await session.close(nil)
            await session.ended()
        }
    }

    /// Carries out a plan. The devices that the plan removes are already disconnected.
    ///
    /// All removals and renames happen in one step. A topic that moves from one device to another is first cleared by
    /// its former device. New devices follow in later turns of the event loop.
    func carryOut(_ plan: FleetPlan) async {
        makeWay(for: plan)
        await takeUp(plan)
    }

    /// Removes the devices that a plan removes, and gives all devices their names.
    func makeWay(for plan: FleetPlan) {
        for name in plan.unplaced {
            logger.error(
                "a configured device is ignored, because its family is unknown or its name is taken",
                metadata: ["device": "\(name)"])
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

    /// Adds the new devices of a plan, and clears the topics that are no longer published.
    func takeUp(_ plan: FleetPlan) async {
        await takeUp(plan.changed.map(\.after) + plan.added)
        guard !isStopping else { return }
        clearUnusedFeatures()
        clearStaleTopics()
        reportDevices()
    }

    /// Removes the session of a device. The state that is kept across restarts stays.
    func detach(_ session: DeviceSession, clearsTopics: Bool) {
        let address = session.address
        if clearsTopics {
            // Home Assistant's announcement is withdrawn first, so that no client shows the cleared topics.
            withdrawAnnouncement(address)
            session.clearTopics()
        }
        unsubscribe(session)
        leaveFormerNames(of: session)
        rememberName(of: session)
        fleet.remove(session)
        noteOwnName(nil, of: address)
        record.retire(session.counters, of: session.family.name)
        admission.forgetHeard(address)
    }
}
