import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// The device families of this bridge and of other bridges, and the names that they reserve.
extension Bridge {
    /// The subscription to the families of other bridges.
    var familiesFilter: TopicFilter { TopicFilter(topics.families, qos: 0) }

    /// The rules for names of devices and groups.
    var nameRules: NameRules {
        NameRules(families: families, reserved: settings.reservedNames, foreign: broker.families.roots)
    }

    func reportFamilies() { reportState(Topics.familiesName, BridgeFeatures.list(families)) }

    /// How long after a list of families arrives the bridge compares names with it, so that one comparison covers the
    /// lists of several bridges.
    private static let reviewDelay = Duration.milliseconds(100)

    /// Takes the list of families that another bridge published.
    func heard(familiesOf bridge: String, _ message: IncomingMessage) {
        guard bridge != topics.bridge, broker.families.heard(message.payload, of: bridge),
            !timers.runs(.families)
        else { return }
        startTimer(.families, at: ports.time.now + Self.reviewDelay)
    }

    /// Warns of devices and groups whose names start with the name of a family of another bridge. They keep their
    /// names: a bridge must not be able to rename the devices of another bridge.
    func reviewNames() {
        guard !isStopping else { return }
        useGroups()
        let (found, before) = (misplacedNames, broker.misplacedNames)
        broker.misplacedNames = Set(found.map(\.name))
        for (name, complaint) in found where !before.contains(name) {
            let (level, unsaid) = log.misplacedNames.take(as: .warning, at: ports.time.now)
            logger.log(
                level: level, "a name is kept, although a family of another bridge reserves it",
                metadata: ["name": "\(name)", "reason": "\(complaint)"].adding(unsaid: unsaid))
        }
    }

    /// The devices and groups of this bridge whose names a family of another bridge reserves, sorted by name, each with
    /// the reason.
    private var misplacedNames: [(name: String, complaint: String)] {
        let rules = nameRules
        let names =
            fleet.all.map { (name: $0.name, family: Optional($0.family.name)) }
            + groupsInForce.map { (name: $0.name, family: nil) }
        return names.sorted { $0.name < $1.name }.compactMap { name, family in
            rules.foreignComplaint(name, of: family).map { (name, $0) }
        }
    }

    /// The names that families of other bridges reserve, as problems for `health_check`; at most 10.
    var nameProblems: [String] { misplacedNames.prefix(10).map { "\($0.name): \($0.complaint)" } }

    /// The name that the roster gives a device; nil if that name is reserved and the device does not have it already.
    func allowedName(_ entry: RosterEntry, _ family: any DeviceFamily) -> String? {
        let isAllowed =
            kept[entry.address]?.name == entry.name
            || nameRules.newComplaint(of: entry.name, family: family.name) == nil
        return isAllowed ? entry.name : nil
    }

    /// Logs the names that a plan refuses. The devices still obey stops under the refused names.
    func keepRefusedNames(_ plan: FleetPlan) {
        for refusal in plan.refused {
            let member = refusal.member
            logger.warning(
                "the name of a device is reserved: the device gets another name, and accepts stops under both",
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

    /// Returns the groups of the configuration and of the roster, and marks those with a reserved name, which accept
    /// only stops.
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
