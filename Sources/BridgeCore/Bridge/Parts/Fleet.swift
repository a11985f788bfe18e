import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit

/// The devices that the bridge looks after: by address, by name, by number and in groups.
struct Fleet {
    /// A member of a group: a name, and the device that has it, if the bridge looks after one.
    typealias Member = (name: String, session: DeviceSession?)

    /// The names of the devices; a name is given before its device is added.
    var names: DeviceNames
    private(set) var groups: Groups
    private var families: [any DeviceFamily]
    private var sessions: [Address: DeviceSession] = [:]
    /// Those of the devices that move, which are few, and asked often.
    private var moving: [Address: DeviceSession] = [:]
    /// The sessions that have not ended: those that are removed are among them for a while.
    private var numbered: [Int: DeviceSession] = [:]
    private var lastNumber = 0
    private var tables: [String: FeatureTable] = [:]
    /// What the motion gates knew of devices that were removed.
    private var gates: [Address: MotionGate] = [:]

    init(_ settings: BridgeSettings, _ families: [any DeviceFamily]) {
        self.families = families
        groups = Groups(settings.groups, families: families)
        names = DeviceNames(reserved: Self.reservedNames(settings, groups))
    }

    // MARK: Finding

    subscript(address: Address) -> DeviceSession? { sessions[address] }

    func session(named name: String) -> DeviceSession? { names.address(of: name).flatMap { sessions[$0] } }

    /// The session of a number; nil if it has ended.
    func session(number: Int) -> DeviceSession? { numbered[number] }

    /// All devices, in no order.
    var all: some Collection<DeviceSession> { sessions.values }

    /// The devices that move, in no order.
    var movers: some Collection<DeviceSession> { moving.values }

    /// All devices, by address.
    var inOrder: [DeviceSession] { sessions.values.sorted { $0.address < $1.address } }

    /// The addresses of all devices, in no order.
    var addresses: some Collection<Address> { sessions.keys }

    /// How many devices there are.
    var count: Int { sessions.count }

    /// How many devices are online.
    var onlineCount: Int { sessions.values.count { $0.isReady } }

    func family(_ name: String) -> (any DeviceFamily)? { families.named(name) }

    /// Takes other families; their groups follow.
    mutating func use(_ families: [any DeviceFamily]) {
        self.families = families
        tables = [:]
    }

    /// The features of a family, made once.
    mutating func features(of family: any DeviceFamily) -> FeatureTable {
        if let table = tables[family.name] { return table }
        let table = FeatureTable(family)
        tables[family.name] = table
        return table
    }

    // MARK: Coming and going

    /// A number for a session that is about to be made.
    mutating func takeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a device. Its motion gate takes over what that of an earlier session knew.
    mutating func add(_ session: DeviceSession) {
        sessions[session.address] = session
        if session.isSafetyCritical { moving[session.address] = session }
        numbered[session.world.enter.number] = session
        if let gate = gates.removeValue(forKey: session.address) { session.motion?.adopt(gate) }
    }

    /// Removes a device and takes its name back; its session has not ended by that.
    mutating func remove(_ session: DeviceSession) {
        let address = session.address
        if let gate = session.gate { gates[address] = gate }
        sessions[address] = nil
        moving[address] = nil
        names.release(address)
    }

    /// Forgets a session that has ended.
    mutating func end(_ number: Int) { numbered[number] = nil }

    // MARK: Groups

    /// The members of a group, in the order in which they answer, none of them twice.
    ///
    /// A group of the configuration holds names. A device that was renamed stays a member under its new name, until
    /// another device has the old one.
    func members(of group: String, _ former: FormerNames = FormerNames()) -> [Member] {
        switch groups[group] {
        case .all: return byName(sessions.values)
        case .family(let family): return byName(sessions.values.filter { $0.family.name == family })
        case .named(let names):
            var found: Set<Address> = []
            return names.map { member($0, former) }.filter { member in
                member.session.map { found.insert($0.address).inserted } ?? true
            }
        case nil: return []
        }
    }

    private func member(_ name: String, _ former: FormerNames) -> Member {
        if let session = session(named: name) { return (name, session) }
        let bearers = bearers(of: name, former)
        // Of several devices that had the name none is meant more than another.
        guard bearers.count == 1, let session = bearers.first, !names.isElsewhere(name) else {
            return (name, nil)
        }
        return (session.name, session)
    }

    /// The devices that obey a stop of a group besides its members: all that had the name of one.
    func formerMembers(of group: String, _ former: FormerNames) -> [DeviceSession] {
        guard case .named(let names) = groups[group] else { return [] }
        return names.flatMap { bearers(of: $0, former) }
    }

    /// The devices that had a name, in order.
    func bearers(of name: String, _ former: FormerNames) -> [DeviceSession] {
        former.bearers(of: name).compactMap { sessions[$0] }.filter { $0.name != name }
    }

    private func byName(_ sessions: some Sequence<DeviceSession>) -> [Member] {
        sessions.sorted { $0.name < $1.name }.map { ($0.name, $0) }
    }

    /// Whether the stop of a group is the stop of everything, which takes power too: that of all devices, and that of
    /// a family which can hurt a person.
    func stopsEverything(_ group: String) -> Bool {
        switch groups[group] {
        case .all: true
        case .family(let name): family(name)?.motionLimits([:]) != nil
        case .named, nil: false
        }
    }

    /// Takes up other groups of the configuration and the fleet.
    mutating func use(_ named: [BridgeSettings.Group]) { groups = Groups(named, families: families) }

    // MARK: Planning

    /// What is to be done so that the devices are there that the configuration and the state file want.
    ///
    /// - Parameters:
    ///   - before: The devices of the configuration that held until now.
    ///   - joined: The devices that the state file knows.
    ///   - joining: The devices that are on their way in.
    ///   - rules: Which of their names are reserved by now.
    func plan(
        before: [BridgeSettings.Device], _ settings: BridgeSettings, joined: [BridgeState.Device],
        joining: [Address], rules: NameRules
    ) -> FleetPlan {
        let present = sessions.values.map { session in
            FleetPlan.Member(
                name: session.name, family: session.family.name, revision: session.family.revision,
                address: session.address,
                settings: session.settings)
        }
        let entering = joining.compactMap { address -> BridgeState.Device? in
            guard let session = sessions[address], let name = names[address] else { return nil }
            return BridgeState.Device(address: address, family: session.family.name, name: name)
        }
        let addresses = Set(entering.map(\.address))
        return FleetPlan(
            present: present.sorted { $0.name < $1.name }, before: before, settings: settings,
            joined: joined.filter { !addresses.contains($0.address) } + entering,
            names: names.cleared(reserved: Self.reservedNames(settings, groups)), rules: rules,
            families: families)
    }

    private static func reservedNames(_ settings: BridgeSettings, _ groups: Groups) -> Set<String> {
        settings.reservedNames.union(groups.names).union(NameRules.roots)
    }
}
