package import Bluetooth
package import DeviceKit
import HomeAssistant
import JSON

/// Reads messages of the roster, strictly: an invalid message is rejected as a whole. Unknown fields are ignored only
/// in newer versions of the format.
package struct RosterReader: Sendable {
    /// Why a message is rejected: what was found, and what is allowed.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package var description: String
        /// The entry that the message contains, if the message is rejected only because of the device's name.
        package var entry: RosterEntry?
    }

    /// The largest message about one device, in bytes.
    package static let entryLimit = 16_384
    /// The largest message about groups, in bytes.
    package static let groupLimit = 65_536

    /// The reason for rejecting settings of a device that can hurt people: a user with write access to the roster must
    /// not relax the limits of a robot.
    package static let hazardComplaint =
        "not accepted for a device that can hurt people; allowed: in the configuration of each host, not on the roster"

    private let families: [any DeviceFamily]
    private let rules: NameRules

    /// - Parameter reserved: The root topics that other programs use: the discovery prefix.
    package init(_ families: [any DeviceFamily], reserved: Set<String>) {
        self.init(families, rules: NameRules(families: families, reserved: reserved))
    }

    /// - Parameter rules: The rules for the names of devices and groups.
    package init(_ families: [any DeviceFamily], rules: NameRules) {
        self.families = families
        self.rules = rules
    }

    /// The fields of `roster/<address>`.
    package static let entry = [
        Field("v", .integer(1...Int.max), required: true, "The version of this format: 1."),
        Field("name", .form(.name, 1...128), required: true, "The name of the device on every bridge."),
        Field("family", .text(1...64), required: true, "Its family."),
        Field(
            "settings", .map(.any), default: [:],
            "Its settings that differ from the family's section on each host; never a secret."),
        Field(
            "preferred", .list(.form(.name, 1...64), count: 0...16), default: [],
            "The bridges that connect it if they can."),
        Field("appearance", .object(look), default: [:], "How Home Assistant shows it."),
        Field("by", .text(1...64), required: true, "The bridge or the program that wrote this message."),
        Field("time", .time, required: true, "When it was written."),
    ]

    private static let look = [
        Field("display_name", .text(1...64), "The display name."),
        Field("area", .text(1...64), "The room."), Field("icon", .text(3...64), "An icon: mdi:run."),
    ]

    /// The fields of `roster/groups`.
    package static let groups = [
        Field("v", .integer(1...Int.max), required: true, "The version of this format: 1."),
        Field(
            "groups", .map(.list(.form(.name, 1...128), count: 1...10_000)), required: true,
            "The names of the devices of each group."),
        Field("by", .text(1...64), required: true, "The bridge or the program that wrote this message."),
        Field("time", .time, required: true, "When it was written."),
    ]

    /// Reads the message about a device.
    package func entry(_ payload: [UInt8], of address: Address) throws(Refusal) -> RosterEntry {
        let object = try object(payload, Self.entry, limit: Self.entryLimit)
        guard let name = object["name"]?.string, let family = object["family"]?.string,
            let by = object["by"]?.string, let time = object["time"]?.string.flatMap({ TimeStamp($0) })
        else { throw Refusal(description: "name, family, by or time is missing") }
        let look = object["appearance"]?.object ?? [:]
        let entry = RosterEntry(
            address: address, name: name, family: family,
            settings: try settings(object["settings"]?.object ?? [:], of: family),
            preferred: object["preferred"]?.array?.compactMap(\.string) ?? [],
            appearance: Appearance(
                displayName: look["display_name"]?.string, area: look["area"]?.string,
                icon: look["icon"]?.string), by: by, time: time)
        if let complaint = rules.complaint(device: name, family: family, groups: [], devices: [:]) {
            throw Refusal(description: "name: \(name): \(complaint)", entry: entry)
        }
        return entry
    }

    /// Reads the message about groups.
    package func groups(_ payload: [UInt8]) throws(Refusal) -> RosterGroups {
        let object = try object(payload, Self.groups, limit: Self.groupLimit)
        guard let members = object["groups"]?.object?.members, let by = object["by"]?.string,
            let time = object["time"]?.string.flatMap({ TimeStamp($0) })
        else { throw Refusal(description: "groups, by or time is missing") }
        var groups: [BridgeSettings.Group] = []
        for member in members {
            // A group whose name has become reserved accepts only stops; the other groups stay valid.
            if let complaint = rules.lastingComplaint(group: member.key) {
                throw Refusal(description: "groups.\(member.key): \(complaint)")
            }
            groups.append(
                BridgeSettings.Group(
                    name: member.key, members: member.value.array?.compactMap(\.string) ?? []))
        }
        return RosterGroups(groups: groups, by: by, time: time)
    }

    private func object(_ payload: [UInt8], _ fields: [Field], limit: Int) throws(Refusal) -> JSON.Object {
        guard payload.count <= limit else {
            throw Refusal(description: "\(payload.count) bytes; allowed: \(limit)")
        }
        let value: JSON.Value
        do { value = try JSON.Value(parsing: payload, maximumDepth: 16) } catch {
            throw Refusal(description: "not valid JSON: \(error)")
        }
        guard var object = value.object else { throw Refusal(description: "not a JSON object") }
        if let version = object["v"]?.integer, version > RosterEntry.version {
            object = JSON.Object(
                object.members.filter { member in fields.contains { $0.name == member.key } }
                    .map { ($0.key, $0.value) })
        }
        do { return try fields.check(object) } catch { throw Refusal(description: error.message) }
    }

    /// Checks settings against the declaration of the family. Settings of an unknown family are kept unchanged.
    private func settings(_ given: JSON.Object, of name: String) throws(Refusal) -> JSON.Object {
        guard let family = families.named(name), family.fault == nil else { return given }
        guard given.isEmpty || family.motionLimits([:]) == nil else {
            throw Refusal(description: "settings: \(Self.hazardComplaint)")
        }
        var checked = JSON.Object()
        for member in given.members {
            let path = "settings.\(member.key)"
            guard let field = family.settings.first(where: { $0.name == member.key }) else {
                let known = family.settings.filter { !$0.isSecret }.map(\.name)
                throw Refusal(
                    description: "\(path): not a setting of \(name); allowed: \(known.joined(separator: " "))"
                )
            }
            guard !field.isSecret else {
                throw Refusal(
                    description:
                        "\(path): a secret; allowed: in the configuration of each host, not on the roster")
            }
            if member.value == .null, field.isNullable {
                checked[member.key] = .some(.null)
                continue
            }
            do { checked[member.key] = try field.type.check(member.value, path: path) } catch {
                throw Refusal(description: error.message)
            }
        }
        return checked
    }
}
