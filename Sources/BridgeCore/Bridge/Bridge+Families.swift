import BridgeContract
import BridgeParts
import Claims
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

    /// How long names wait for further lists of families before they are compared with them.
    private static let reviewDelay = Duration.milliseconds(100)

    /// A bridge published the families that it knows.
    func heard(familiesOf bridge: String, _ message: IncomingMessage) {
        guard bridge != topics.bridge, broker.families.heard(message.payload, of: bridge),
            !clockwork.runs(.families)
        else { return }
        startTimer(.families, at: world.time.now + Self.reviewDelay)
    }

    /// Tells of the devices and groups whose names are at the root of a family that another bridge knows. They keep
    /// them: a bridge must not be able to rename the devices of another one.
    func reviewNames() {
        guard !isStopping else { return }
        useGroups()
        let (found, before) = (misplacedNames, broker.misplacedNames)
        broker.misplacedNames = Set(found.map(\.name))
        for (name, complaint) in found where !before.contains(name) {
            let (level, unsaid) = log.misplacedNames.take(as: .warning, at: world.time.now)
            logger.log(
                level: level, "a name at the root of a family of another bridge is kept",
                metadata: ["name": "\(name)", "reason": "\(complaint)"].adding(unsaid: unsaid))
        }
    }

    /// The names of devices and groups that a family of another bridge rules out, with the reason, in order.
    private var misplacedNames: [(name: String, complaint: String)] {
        let rules = nameRules
        let names =
            fleet.all.map { (name: $0.name, family: Optional($0.family.name)) }
            + groupsInForce.map { (name: $0.name, family: nil) }
        return names.sorted { $0.name < $1.name }.compactMap { name, family in
            rules.foreignComplaint(name, of: family).map { (name, $0) }
        }
    }

    /// What is wrong with names that are kept, for `health_check`.
    var nameProblems: [String] { misplacedNames.prefix(10).map { "\($0.name): \($0.complaint)" } }

    /// The name that the roster gives to a device, unless it does not have it and may not get it by now.
    func allowedName(_ entry: RosterEntry, _ family: any DeviceFamily) -> String? {
        let isAllowed =
            kept[entry.address]?.name == entry.name
            || nameRules.newComplaint(of: entry.name, family: family.name) == nil
        return isAllowed ? entry.name : nil
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
            let name = group.name
            let isKept =
                settings.groups.contains { $0.name == name }
                || fleet.groups.contains(name) && !fleet.groups.stopsOnly.contains(name)
            group.takesStopsOnly =
                rules.reservation(ofGroup: name) != nil
                || !isKept && rules.foreignComplaint(name, of: nil) != nil
            return group
        }
    }
}
