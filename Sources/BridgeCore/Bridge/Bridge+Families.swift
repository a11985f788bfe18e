import BridgeContract
import DeviceKit
import JSON
import Logging
import Messages

// The families of devices that bridges know, and the names that they rule out for other devices.
extension Bridge {
    /// What is subscribed to know which families other bridges know.
    var familiesFilter: TopicFilter { TopicFilter(topics.families, qos: 0) }

    /// What devices and groups may be called.
    var nameRules: NameRules {
        NameRules(families: families, reserved: settings.reservedNames, foreign: broker.families.roots)
    }

    /// Publishes the families that this bridge knows.
    func reportFamilies() { reportState(Topics.familiesName, BridgeFeatures.list(families)) }

    /// A bridge published the families that it knows.
    func heard(familiesOf bridge: String, _ message: IncomingMessage) {
        guard bridge != topics.bridge, broker.families.heard(message.payload, of: bridge) else { return }
        spawn { await $0.reviewNames() }
    }

    /// Gives other names to the devices whose names are at the root of a family that was not known before.
    private func reviewNames() async {
        guard !isStopping else { return }
        useGroups()
        let rules = nameRules
        guard fleet.all.contains(where: { rules.reservation(of: $0.name, family: $0.family.name) != nil })
        else { return }
        await closeLeaving(planFleet(before: settings.devices))
        guard !isStopping else { return }
        await carryOut(planFleet(before: settings.devices))
    }

    /// Logs the names that a plan gives to no device, and has the devices obey stops under these.
    func keepRefusedNames(_ plan: FleetPlan) {
        for refusal in plan.refused {
            let member = refusal.member
            logger.warning(
                "a device has another name, since its own is reserved; it obeys stops under both",
                metadata: [
                    "device": "\(refusal.name)", "now": "\(member.name)", "reason": "\(refusal.reason)",
                ])
            if let session = fleet[member.address] {
                keepFormerName(refusal.name, of: session)
            } else {
                let device = BridgeState.Device(
                    address: member.address, family: member.family, name: member.name, isJoined: false)
                keep { kept in
                    kept.remember(device, at: member.address) { device in
                        device.name = member.name
                        device.keepFormerName(refusal.name)
                    }
                }
            }
            writeRoster(member.address)
        }
    }

    // MARK: Groups

    /// The groups with what their names allow: one whose name is reserved by now takes only stops.
    func ruled(_ groups: [BridgeSettings.Group]) -> [BridgeSettings.Group] {
        let rules = nameRules
        return groups.map { group in
            var group = group
            group.takesStopsOnly = rules.reservation(ofGroup: group.name) != nil
            return group
        }
    }
}
