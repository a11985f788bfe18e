import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit

/// The devices that the bridge manages, by address, by name, by number and in groups.
struct Fleet {
    /// A member of a group: a name, and the device with this name if the bridge has it.
    typealias Member = (name: String, session: DeviceSession?)

    /// The names of the devices. A name is assigned before its device is added.
    var names: DeviceNames
    private(set) var groups: Groups
    private var families: [any DeviceFamily]
    private var sessions: [Address: DeviceSession] = [:]
    /// The devices whose family can move, such as robots. They are few and are looked up often.
    private var moving: [Address: DeviceSession] = [:]
    /// The sessions that have not ended, by number. The session of a removed device is listed until the session ends.
    private var numbered: [Int: DeviceSession] = [:]
    private var lastNumber = 0
    private var tables: [String: FeatureTable] = [:]
    /// The motion gates of removed devices. If such a device is added again, its gate continues with the same state.
    private var gates: [Address: MotionGate] = [:]

    init(_ settings: BridgeSettings, _ families: [any DeviceFamily]) {
        self.families = families
        groups = Groups(settings.groups, families: families, zone: settings.zone)
        names = DeviceNames(reserved: Self.reservedNames(settings, groups))
    }

    // MARK: Lookup

    subscript(address: Address) -> DeviceSession? { sessions[address] }

    func session(named name: String) -> DeviceSession? { names.address(of: name).flatMap { sessions[$0] } }

    /// Returns the session with a number; nil if it has ended.
    func session(number: Int) -> DeviceSession? { numbered[number] }

    /// All devices, unordered.
    var all: some Collection<DeviceSession> { sessions.values }

    /// The devices whose family can move, such as robots, unordered.
    var movers: some Collection<DeviceSession> { moving.values }

    var inOrder: [DeviceSession] { sessions.values.sorted { $0.address < $1.address } }

    /// The addresses of all devices, unordered.
    var addresses: some Collection<Address> { sessions.keys }

    var count: Int { sessions.count }

    var onlineCount: Int { sessions.values.count { $0.isReady } }

    func family(_ name: String) -> (any DeviceFamily)? { families.named(name) }

    /// Replaces the families. The caller must update the groups afterwards.
    mutating func use(_ families: [any DeviceFamily]) {
        self.families = families
        tables = [:]
    }

    /// Returns the features of a family. They are computed at the first call.
    mutating func features(of family: any DeviceFamily) -> FeatureTable {
        if let table = tables[family.name] { return table }
        let table = FeatureTable(family)
        tables[family.name] = table
        return table
    }

    // MARK: Adding and removing

    mutating func takeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a device. If the bridge had the device earlier, its new motion gate takes over the state of the former
    /// gate.
    mutating func add(_ session: DeviceSession) {
        sessions[session.address] = session
        if session.isSafetyCritical { moving[session.address] = session }
        numbered[session.context.enter.number] = session
        if let gate = gates.removeValue(forKey: session.address) { session.motion?.adopt(gate) }
    }

    /// Removes a device and releases its name. Its session may still be running.
    mutating func remove(_ session: DeviceSession) {
        let address = session.address
        if let gate = session.gate { gates[address] = gate }
        sessions[address] = nil
        moving[address] = nil
        names.release(address)
    }

    mutating func end(_ number: Int) { numbered[number] = nil }

    // MARK: Groups

    /// Returns the members of a group, in the order in which they answer, without duplicates.
    ///
    /// A group of the configuration consists of names. A renamed device stays a member under its new name, until
    /// another device has its former name.
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
        let formerDevices = formerDevices(of: name, former)
        // If several devices formerly had the name, it is unclear which of them is meant, so none of them is the
        // member.
        guard formerDevices.count == 1, let session = formerDevices.first, !names.isElsewhere(name) else {
            return (name, nil)
        }
        return (session.name, session)
    }

    /// Returns the devices that obey a stop of a group in addition to its members: all devices with a member's name
    /// as a former name.
    func formerMembers(of group: String, _ former: FormerNames) -> [DeviceSession] {
        guard case .named(let names) = groups[group] else { return [] }
        return names.flatMap { formerDevices(of: $0, former) }
    }

    /// Returns the devices that had a name and now have another name, in order.
    func formerDevices(of name: String, _ former: FormerNames) -> [DeviceSession] {
        former.addresses(of: name).compactMap { sessions[$0] }.filter { $0.name != name }
    }

    private func byName(_ sessions: some Sequence<DeviceSession>) -> [Member] {
        sessions.sorted { $0.name < $1.name }.map { ($0.name, $0) }
    }

    /// Whether the stop of a group is an emergency stop, which also cuts power. This applies to the group of all
    /// devices, to a zone, and to a family that can hurt you.
    func stopsEverything(_ group: String) -> Bool {
        switch groups[group] {
        case .all: true
        case .family(let name): family(name)?.motionLimits([:]) != nil
        case .named, nil: false
        }
    }

    /// Replaces the groups of the configuration and of the roster, and the zone of the host.
    mutating func use(_ named: [BridgeSettings.Group], zone: String) {
        groups = Groups(named, families: families, zone: zone)
    }

    // MARK: Planning

    /// Plans which devices to add, change or remove, so that the bridge has the devices of the configuration and the
    /// state file.
    ///
    /// - Parameters:
    ///   - before: The devices of the previous configuration.
    ///   - joined: The devices that the state file contains.
    ///   - joining: The devices that are currently joining.
    ///   - rules: The current rules for their names.
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
