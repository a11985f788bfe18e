package import DeviceKit

/// The groups of devices that receive commands together: `all`, one for each family, the zone of the host, and those of
/// the configuration.
package struct Groups: Sendable {
    package enum Members: Hashable, Sendable {
        /// All devices.
        case all
        /// All devices of one family.
        case family(String)
        /// The devices that have these names when a command arrives.
        case named([String])
    }

    package static let all = "all"

    private let members: [String: Members]
    /// The names of all groups: the built-in groups first, then the groups of the configuration, in its order.
    package let names: [String]
    /// The names of the groups that accept only stops.
    package let stopsOnly: Set<String>

    /// - Parameter zone: The zone of the host; empty for none. All devices of the bridge are in it.
    package init(_ groups: [BridgeSettings.Group], families: [any DeviceFamily], zone: String = "") {
        let zone = zone.isEmpty ? nil : Self.name(ofZone: zone)
        // An older group can have the name of the zone. The zone contains its members.
        let groups = groups.filter { $0.name != zone }
        stopsOnly = Set(groups.filter(\.takesStopsOnly).map(\.name))
        let entries: [(String, Members)] =
            [(Self.all, .all)] + families.map { (Self.name(of: $0), .family($0.name)) }
            + (zone.map { [($0, .all)] } ?? []) + groups.map { ($0.name, .named($0.members)) }
        names = entries.map(\.0)
        members = Dictionary(entries) { first, _ in first }
    }

    /// The name of the group of a family's devices, such as `all/belts`.
    static func name(of family: any DeviceFamily) -> String { "\(all)/\(family.plural)" }

    /// The group of the devices in a zone: `zone/upstairs`.
    package static func name(ofZone zone: String) -> String { "\(Topics.zoneRoot)/\(zone)" }

    /// Whether a group is `all` or that of a family.
    package static func isOfFamilies(_ name: String) -> Bool { name == all || name.hasPrefix(all + "/") }

    /// Whether a group exists without the configuration and the roster.
    package func isBuiltIn(_ name: String) -> Bool {
        switch members[name] {
        case .all, .family: true
        case .named, nil: false
        }
    }

    /// The members of a group; nil if there is no such group.
    package subscript(name: String) -> Members? { members[name] }

    package func contains(_ name: String) -> Bool { members[name] != nil }
}
