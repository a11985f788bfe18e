package import BridgeContract
package import DeviceKit
import HomeAssistant

extension Role {
    /// The roles whose rights the console's account on the broker combines.
    static let ofConsole: [Role] = [.viewer, .operator, .driver, .typist]
}

/// The rights of roles on the broker, derived from the declared features, as lines of Mosquitto's ACL file
/// (mosquitto.conf(5), acl_file).
///
/// Every role may stop every device that moves or vibrates.
package struct AccessList {
    package enum Access: String { case read, write, readwrite }

    /// One right: an access mode and a topic filter, as one line of the list.
    package struct Entry: Hashable {
        package var access: Access
        package var topic: String

        package var text: String { "topic \(access.rawValue) \(topic)" }
    }

    private let families: [any DeviceFamily]
    private var settings: BridgeSettings
    private let guarded: GuardedNames

    /// The maximum number of levels of a device name for which wildcards allow stops.
    private static let stopLevels = 4

    /// Creates the access list for the bridge that a configuration describes.
    ///
    /// - Parameters:
    ///   - named: The devices in the bridge's stored state. The configuration takes precedence.
    ///   - heard: The devices that bridges report on the broker. A device that several bridges name differently is
    ///     listed under each of these names.
    ///   - groups: The names of groups that are not in the configuration.
    package init(
        _ settings: BridgeSettings, named: [BridgeSettings.Device] = [], heard: [BridgeSettings.Device] = [],
        groups: [String] = [], families: [any DeviceFamily]
    ) {
        self.settings = settings
        self.families = families
        guarded = GuardedNames(families)
        // A device or group with a name that bridges reject gets no rights, because the name may match the topics of
        // other features.
        let rules = NameRules(families: families, reserved: settings.reservedNames)
        func isTaken(_ device: BridgeSettings.Device) -> Bool {
            rules.complaint(device: device.name, family: device.family, groups: [], devices: [:]) == nil
        }
        self.settings.devices = settings.devices.filter(isTaken)
        self.settings.groups = settings.groups.filter { rules.complaint(group: $0.name) == nil }
        let addresses = Set(settings.devices.map(\.address))
        var names = Set(settings.devices.map(\.name))
        for device in named.filter({ !addresses.contains($0.address) }) + heard
        where isTaken(device) && names.insert(device.name).inserted {
            self.settings.devices.append(device)
        }
        let known = Set(settings.groups.map(\.name) + GroupFeatures.builtInNames(families))
        self.settings.groups +=
            groups.filter { !known.contains($0) && rules.complaint(group: $0) == nil }
            .map { BridgeSettings.Group(name: $0, members: []) }
    }

    /// Sentences about features of a family to which the access list gives no rights. Rights to a feature are refused
    /// if it has the name of a hazardous or private feature of another family.
    package var refusals: [String] { guarded.refusals }

    /// Returns the list of another bridge with the same configuration.
    package func with(id: String) -> Self {
        var list = self
        list.settings.id = id
        return list
    }

    /// The devices whose names are known.
    package var devices: [BridgeSettings.Device] { settings.devices }

    /// Returns the section of Mosquitto's ACL file for one user.
    ///
    /// - Parameters:
    ///   - roles: The user's roles.
    ///   - user: The name of the account.
    package func text(_ roles: [Role], user: String) -> String {
        let entries = entries(roles, user: user)
        let head =
            (roles.contains(.bridge) ? MosquittoLines.comment : [])
            + roles.map { "# \($0.rawValue): \($0.summary)" } + ["user \(user)"]
        return (head + entries.map(\.text)).map { $0 + "\n" }.joined()
    }

    /// Returns the right to read the answers to this user's requests (MQTT 5's Response Topic).
    func replyEntry(_ user: String) -> Entry { Entry(access: .read, topic: topic("reply/\(user)/#")) }

    package func entries(_ role: Role) -> [Entry] {
        if role == .console {
            var seen: Set<Entry> = []
            return Role.ofConsole.flatMap { self.entries($0) }.filter { seen.insert($0).inserted }
        }
        var entries = role == .bridge ? ownEntries : readEntries(includingPrivate: role == .typist)
        switch role {
        case .bridge, .console: break
        case .viewer, .typist, .recorder, .restorer: entries += commands { guarded.isStop($0) }
        case .logReader:
            entries += commands { guarded.isStop($0) }
            entries.append(Entry(access: .read, topic: topic("bridge/+/\(BridgeFeatures.logName)")))
        case .operator:
            entries += commands { !guarded.isHazardous($0) }
            entries += requests(of: .operator)
        case .driver:
            entries += commands { guarded.isHazardous($0) || guarded.isStop($0) }
            entries.append(echoEntries.driver)
        case .admin:
            entries += commands { guarded.isStop($0) }
            entries += requests(of: .admin)
            entries.append(Entry(access: .write, topic: rosterTopics))
        }
        if role == .recorder { entries += requests(of: .recorder) }
        if role == .restorer { entries += requests(of: .restorer) }
        return entries
    }

    private func requests(of sender: BridgeFeatures.Request.Sender) -> [Entry] {
        let declared = Set(BridgeFeatures.requests(families).map(\.name))
        return BridgeFeatures.Request.allCases
            .filter { $0.senders.contains(sender) && declared.contains($0.rawValue) }
            .map { Entry(access: .write, topic: topic("bridge/+/request/\($0.rawValue)")) }
    }

    /// Returns the rights to stop devices under any name. A device can be renamed at any time, and the bridge still
    /// executes and answers a stop that is sent to the device's former name.
    package func stopEntries(_ role: Role) -> [Entry] {
        let stops = Set(families.flatMap(\.features).filter { guarded.isStop($0) }.map(\.name))
        let names = (1...Self.stopLevels).map { Array(repeating: "+", count: $0).joined(separator: "/") }
        return names.flatMap { name in
            stops.sorted().map { stop in
                Entry(access: role == .bridge ? .read : .write, topic: topic("\(name)/\(stop)/set"))
            } + (role == .bridge ? [Entry(access: .write, topic: topic("\(name)/result"))] : [])
        }
    }

    /// Returns the rights for the bridge's echo, a message that the bridge sends to itself. Without the echo, robots
    /// cannot be driven or powered on.
    package static func echoEntries(bridge: String, baseTopic: String) -> (bridge: Entry, driver: Entry) {
        let prefix = baseTopic.isEmpty ? "bridge" : "\(baseTopic)/bridge"
        let name = BridgeFeatures.echoName
        return (
            Entry(access: .readwrite, topic: "\(prefix)/\(bridge)/\(name)"),
            Entry(access: .read, topic: "\(prefix)/+/\(name)")
        )
    }

    private var echoEntries: (bridge: Entry, driver: Entry) {
        Self.echoEntries(bridge: settings.id, baseTopic: settings.baseTopic)
    }

    /// The topics of the stops of devices that can move, of the stop of all devices, and of the stop of the zone.
    package var stops: [String] {
        let robots = families.filter { family in
            family.features.contains { $0.command?.traits.contains(.hazardous) ?? false }
        }
        let own = robots.flatMap { family in
            let stops = family.features.filter { $0.command?.traits.contains(.stop) ?? false }
            let named = settings.devices.filter { $0.family == family.name }.map(\.name)
            return named.flatMap { name in stops.map { topic("\(name)/\($0.name)/set") } }
        }
        let zone = settings.zone.isEmpty ? [] : [GroupFeatures.zone(settings.zone)]
        let common = [GroupFeatures.everything] + zone
        return own.isEmpty ? [] : own + common.map { topic("\($0)/\(GroupFeatures.stop.name)/set") }
    }

    // MARK: Parts

    /// The topics of the roster. A user with write access can change names and settings of devices.
    private var rosterTopics: String { topic("roster/+") }

    private func topic(_ rest: String) -> String {
        settings.baseTopic.isEmpty ? rest : "\(settings.baseTopic)/\(rest)"
    }

    /// Returns the names of a family's devices as topic filters, with `+` for names that are not known.
    private func names(_ family: any DeviceFamily) -> [String] {
        let own = family.naming == .single ? [family.name, "\(family.name)/+"] : ["\(family.name)/+"]
        let named = settings.devices.filter { $0.family == family.name }.map(\.name)
        // The broker searches the list for each message, so names that a filter such as `belt/+` matches are omitted.
        return own + named.filter { !own.contains($0) && !isBelow(family, $0) }
    }

    private func isBelow(_ family: any DeviceFamily, _ name: String) -> Bool {
        let levels = name.split(separator: "/", omittingEmptySubsequences: false)
        return levels.count == 2 && levels[0] == family.name
    }

    /// The names of groups, with `+` for the zones.
    private var groups: [String] {
        GroupFeatures.builtInNames(families) + [GroupFeatures.zone("+")] + settings.groups.map(\.name)
    }

    private func readEntries(includingPrivate: Bool) -> [Entry] {
        let others = [BridgeFeatures.echoName, BridgeFeatures.logName, BridgeFeatures.offerName]
        var topics = BridgeFeatures.reports.filter { !others.contains($0.name) }
            .map { topic("bridge/+/\($0.name)") }
        topics += ["features/+", "response/+", GroupFeatures.anyState].map { topic("bridge/+/\($0)") }
        for family in families {
            let features = DeviceFeatures.all + family.features.filter { $0.report != nil }
            for feature in features where includingPrivate || !guarded.isPrivate(feature) {
                topics += names(family).map { topic("\($0)/\(feature.name)") }
            }
        }
        topics += groups.map { topic("\($0)/result") }
        topics.append(rosterTopics)
        if let prefix = settings.homeAssistant?.prefix {
            topics.append("\(prefix)/device/+/config")
        }
        return topics.map { Entry(access: .read, topic: $0) }
    }

    private func commands(_ isAllowed: (Feature) -> Bool) -> [Entry] {
        var topics: [String] = []
        for family in families {
            for feature in family.features {
                guard feature.command != nil, isAllowed(feature) else { continue }
                topics += names(family).map { topic("\($0)/\(feature.name)/set") }
                // The bridge passes a command for a group to each member, so a group needs the same rights as its
                // members.
                topics += groups.map { topic("\($0)/\(feature.name)/set") }
            }
        }
        return topics.map { Entry(access: .write, topic: $0) }
    }

    /// The rights of the bridge: to publish the states of devices and its own state, and to receive commands.
    private var ownEntries: [Entry] {
        var entries = [
            Entry(access: .readwrite, topic: topic("bridge/\(settings.id)/#")), echoEntries.bridge,
            Entry(access: .read, topic: topic("bridge/all/request/+")),
            Entry(access: .write, topic: topic("reply/#")),
        ]
        // The bridge reads `availability` and `info` of other bridges, because it ignores the claims of bridges that
        // are offline.
        entries += ["availability", "info"].map { Entry(access: .read, topic: topic("bridge/+/\($0)")) }
        // The bridge reads the families of other bridges, because the names of these families are reserved on all
        // bridges.
        entries.append(Entry(access: .read, topic: topic("bridge/+/\(BridgeFeatures.familiesName)")))
        // The claims, by which bridges state which devices they own, and the offers of bridges to connect to a device.
        entries.append(Entry(access: .readwrite, topic: topic("\(BridgeFeatures.claimRoot)/+")))
        entries.append(Entry(access: .read, topic: topic("bridge/+/\(BridgeFeatures.offerName)")))
        let mayJoin = settings.join != .configured
        entries.append(Entry(access: mayJoin ? .readwrite : .read, topic: rosterTopics))
        for family in families {
            let features = DeviceFeatures.all + family.features.filter { $0.report != nil }
            for name in names(family) {
                // The bridge also reads these topics: the messages of other bridges, and its own retained messages.
                entries += features.map { Entry(access: .readwrite, topic: topic("\(name)/\($0.name)")) }
                entries += ["\(name)/+/set", "\(name)/set"].map { Entry(access: .read, topic: topic($0)) }
            }
        }
        for name in groups {
            entries.append(Entry(access: .write, topic: topic("\(name)/result")))
            entries += ["\(name)/+/set", "\(name)/set"].map { Entry(access: .read, topic: topic($0)) }
        }
        if let prefix = settings.homeAssistant?.prefix {
            entries.append(Entry(access: .readwrite, topic: "\(prefix)/device/+/config"))
            entries.append(Entry(access: .read, topic: "\(prefix)/status"))
        }
        return entries
    }
}
