package import BridgeContract
package import DeviceKit
import HomeAssistant

extension Role {
    /// What the console's own account is made of.
    static let ofConsole: [Role] = [.viewer, .operator, .driver, .typist]
}

/// What a role may do at the broker, out of the declared features, as lines of Mosquitto's ACL file
/// (mosquitto.conf(5), acl_file).
///
/// Everyone may stop whatever moves or vibrates.
package struct AccessList {
    /// What is allowed on a topic.
    package enum Access: String { case read, write, readwrite }

    /// One line.
    package struct Entry: Hashable {
        package var access: Access
        package var topic: String

        package var text: String { "topic \(access.rawValue) \(topic)" }
    }

    private let families: [any DeviceFamily]
    private var settings: BridgeSettings
    private let guarded: GuardedNames

    /// How many levels a name may have for its stops to be allowed without being named.
    private static let stopLevels = 4

    /// Prepares lists for the bridge of a configuration.
    ///
    /// - Parameters:
    ///   - named: The names that devices got at the broker, as the bridge's state has them. The configuration goes
    ///     before it.
    ///   - heard: The devices that bridges tell of, each under every name that it has at one of them.
    ///   - groups: The names of groups that the configuration does not have.
    package init(
        _ settings: BridgeSettings, named: [BridgeSettings.Device] = [], heard: [BridgeSettings.Device] = [],
        groups: [String] = [], families: [any DeviceFamily]
    ) {
        self.settings = settings
        self.families = families
        guarded = GuardedNames(families)
        // A name that bridges do not take gives no rights: it may stand at the root of other topics.
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

    /// What the roles do not get that a family's declaration alone would give them, in sentences: a feature of one family
    /// that has the name of another one's which is hazardous or private.
    package var refusals: [String] { guarded.refusals }

    /// The list of another bridge that has the same configuration.
    package func with(id: String) -> Self {
        var list = self
        list.settings.id = id
        return list
    }

    /// The devices whose names are known.
    package var devices: [BridgeSettings.Device] { settings.devices }

    /// The part of an ACL file for one user.
    ///
    /// - Parameters:
    ///   - roles: What the user is.
    ///   - user: The name to log in with.
    package func text(_ roles: [Role], user: String) -> String {
        let entries = entries(roles, user: user)
        let head =
            (roles.contains(.bridge) ? MosquittoLines.comment : [])
            + roles.map { "# \($0.rawValue): \($0.summary)" } + ["user \(user)"]
        return (head + entries.map(\.text)).map { $0 + "\n" }.joined()
    }

    /// Where answers to a user's own requests go (MQTT 5's Response Topic), and no other user's.
    func replyEntry(_ user: String) -> Entry { Entry(access: .read, topic: topic("reply/\(user)/#")) }

    /// What is allowed to a role.
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

    /// The stops of devices under any name: a device may get another name at any time, and a stop that is sent to its old
    /// one is obeyed, and answered, too.
    package func stopEntries(_ role: Role) -> [Entry] {
        let stops = Set(families.flatMap(\.features).filter { guarded.isStop($0) }.map(\.name))
        let names = (1...Self.stopLevels).map { Array(repeating: "+", count: $0).joined(separator: "/") }
        return names.flatMap { name in
            stops.sorted().map { stop in
                Entry(access: role == .bridge ? .read : .write, topic: topic("\(name)/\(stop)/set"))
            } + (role == .bridge ? [Entry(access: .write, topic: topic("\(name)/result"))] : [])
        }
    }

    /// What the bridge's echo needs, without which robots are neither driven nor switched on.
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

    /// The topics of the stops of what can set something in motion, and of the stop of everything.
    package var stops: [String] {
        let robots = families.filter { family in
            family.features.contains { $0.command?.traits.contains(.hazardous) ?? false }
        }
        let own = robots.flatMap { family in
            let stops = family.features.filter { $0.command?.traits.contains(.stop) ?? false }
            let named = settings.devices.filter { $0.family == family.name }.map(\.name)
            return named.flatMap { name in stops.map { topic("\(name)/\($0.name)/set") } }
        }
        return own.isEmpty ? [] : own + [topic("\(GroupFeatures.everything)/\(GroupFeatures.stop.name)/set")]
    }

    // MARK: Parts

    /// What the fleet knows of its devices. A user who may write it gives devices names and settings.
    private var rosterTopics: String { topic("roster/+") }

    private func topic(_ rest: String) -> String {
        settings.baseTopic.isEmpty ? rest : "\(settings.baseTopic)/\(rest)"
    }

    /// The names that a family's devices have, `+` for what is not known beforehand.
    private func names(_ family: any DeviceFamily) -> [String] {
        let own = family.naming == .single ? [family.name, "\(family.name)/+"] : ["\(family.name)/+"]
        let named = settings.devices.filter { $0.family == family.name }.map(\.name)
        // A list of a thousand names is long to search for each message: what `belt/+` holds is not named.
        return own + named.filter { !own.contains($0) && !isBelow(family, $0) }
    }

    private func isBelow(_ family: any DeviceFamily, _ name: String) -> Bool {
        let levels = name.split(separator: "/", omittingEmptySubsequences: false)
        return levels.count == 2 && levels[0] == family.name
    }

    private var groups: [String] {
        GroupFeatures.builtInNames(families) + settings.groups.map(\.name)
    }

    private func readEntries(includingPrivate: Bool) -> [Entry] {
        let others = [BridgeFeatures.echoName, BridgeFeatures.logName, BridgeFeatures.offerName]
        var topics = BridgeFeatures.reports.filter { !others.contains($0.name) }
            .map { topic("bridge/+/\($0.name)") }
        topics += ["features", "response"].map { topic("bridge/+/\($0)/+") }
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
                // A group hands a command to each member; what may not be sent to a member may not be sent to it.
                topics += groups.map { topic("\($0)/\(feature.name)/set") }
            }
        }
        return topics.map { Entry(access: .write, topic: $0) }
    }

    /// The bridge writes what devices say, reads what they are told, and speaks for itself.
    private var ownEntries: [Entry] {
        var entries = [
            Entry(access: .readwrite, topic: topic("bridge/\(settings.id)/#")), echoEntries.bridge,
            Entry(access: .read, topic: topic("bridge/all/request/+")),
            Entry(access: .write, topic: topic("reply/#")),
        ]
        // Which other bridges live, so that the claim of one that does not counts for nothing.
        entries += ["availability", "info"].map { Entry(access: .read, topic: topic("bridge/+/\($0)")) }
        // The families that others know, at whose names no other device may be named.
        entries.append(Entry(access: .read, topic: topic("bridge/+/\(BridgeFeatures.familiesName)")))
        // Which of them has which device, or is about to have it.
        entries.append(Entry(access: .readwrite, topic: topic("\(BridgeFeatures.claimRoot)/+")))
        entries.append(Entry(access: .read, topic: topic("bridge/+/\(BridgeFeatures.offerName)")))
        let mayJoin = settings.join != .configured
        entries.append(Entry(access: mayJoin ? .readwrite : .read, topic: rosterTopics))
        for family in families {
            let features = DeviceFeatures.all + family.features.filter { $0.report != nil }
            for name in names(family) {
                // It reads them too: what another bridge says of the device, and what it has left behind itself.
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
