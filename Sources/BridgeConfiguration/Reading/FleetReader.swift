import Bluetooth
import BridgeContract
import DeviceKit
import HomeAssistant
import JSON
import YAML

/// Reads the sections `devices` and `groups`, whose keys are names that users chose.
struct FleetReader {
    /// A device and its position in the file.
    struct Entry {
        var device: BridgeSettings.Device
        var place: YAMLTree.Place
        /// The values in the device's own entry, without those of the family's section and without secrets.
        var given: JSON.Object
        /// The keys of the secrets in the device's entry.
        var secrets: [String]
        /// The bridges that preferably connect to the device; only in a ``FleetFile``.
        var preferred: [String] = []
    }

    private(set) var devices: [Entry] = []
    private(set) var groups: [(group: BridgeSettings.Group, place: YAMLTree.Place)] = []
    var reader: ValueReader
    /// Problems that do not prevent the bridge from starting, such as a name that a newer version reserves.
    private(set) var warnings: [String] = []

    private let rules: NameRules
    private let families: [any DeviceFamily]
    private let defaults: [String: Arguments]
    /// Whether the file is a ``FleetFile``: without secrets, with preferred bridges.
    private let isOfFleet: Bool

    /// - Parameter defaults: The values of each family's section.
    init(
        reader: ValueReader, rules: NameRules, families: [any DeviceFamily], defaults: [String: Arguments],
        isOfFleet: Bool = false
    ) {
        self.reader = reader
        self.rules = rules
        self.families = families
        self.defaults = defaults
        self.isOfFleet = isOfFleet
    }

    /// Reads both sections. Each section may be missing.
    mutating func read(devices: YAMLTree?, groups: YAMLTree?) {
        let groupMembers =
            groups.flatMap {
                reader.members($0, path: "groups", allowed: "a mapping of a name to a list of devices")
            } ?? []
        let deviceMembers =
            devices.flatMap {
                reader.members($0, path: "devices", allowed: "a mapping of a name to family and address")
            } ?? []
        let families = Dictionary(deviceMembers.compactMap(Self.family)) { first, _ in first }
        for member in deviceMembers {
            readDevice(member, groups: groupMembers.map(\.key), families: families)
        }
        for member in groupMembers { readGroup(member, devices: deviceMembers.map(\.key)) }
    }

    /// Returns the name of a device and the name of its family, even if no such family exists.
    private static func family(_ device: YAMLTree.Member) -> (String, String)? {
        guard case .mapping(let members) = device.value.content,
            case .scalar(let word, _)? = members.first(where: { $0.key == "family" })?.value.content
        else { return nil }
        return (device.key, word)
    }

    private mutating func readDevice(
        _ member: YAMLTree.Member, groups: [String], families words: [String: String]
    ) {
        let path = "devices.\(member.key)"
        // If the names of two devices collide, such as `belt` and `belt/mode`, the problem is reported only for the
        // longer name.
        if let complaint = rules.lastingComplaint(
            device: member.key, family: nil, groups: groups, devices: words)
        {
            reader.complain(at: member.place, path, complaint)
        } else if let word = words[member.key],
            let complaint = rules.reservation(of: member.key, family: word)
        {
            refuse(
                member, path, complaint,
                "the device gets the name \(word)/<id>, and also accepts stops under this name")
        }
        let allowed = "a mapping with family and address"
        guard let members = reader.members(member.value, path: path, allowed: allowed) else { return }
        let family = readFamily(members, of: member, path: path)
        let address = readAddress(members, of: member, path: path)
        guard let family else { return }
        var settings = defaults[family.name]?.values ?? JSON.Object()
        var (given, secrets) = (JSON.Object(), [String]())
        let common = ["family", "address"] + Self.looks.map(\.key) + (isOfFleet ? ["preferred"] : [])
        let known = common + family.settings.map(\.name)
        for member in members where !common.contains(member.key) {
            let path = "\(path).\(member.key)"
            guard let field = family.settings.first(where: { $0.name == member.key }) else {
                // If the family's device file cannot be used, the valid keys are unknown, so no key is rejected.
                if family.fault != nil { continue }
                reader.complain(unknown: member, path: path, known: known)
                continue
            }
            if isOfFleet, family.motionLimits([:]) != nil {
                reader.complain(at: member.place, path, RosterReader.hazardComplaint)
                continue
            }
            if isOfFleet, field.isSecret {
                reader.complain(
                    at: member.place, path,
                    "a secret; allowed: in the configuration of each host, not on the roster")
                continue
            }
            if member.value.isNull {
                guard field.isNullable else { continue }
                (settings[field.name], given[field.name]) = (.some(.null), .some(.null))
            } else if let value = reader.value(
                member.value, field.type, path: path, isSecret: field.isSecret)
            {
                settings[field.name] = value
                if field.isSecret { secrets.append(field.name) } else { given[field.name] = value }
            }
        }
        let looks = readLooks(members, path: path)
        guard let address else { return }
        if let other = devices.first(where: { $0.device.address == address }) {
            reader.complain(
                at: member.place, path,
                "found the address \(address), which \(other.device.name) has too; "
                    + "allowed: one name for each device")
        }
        let device = BridgeSettings.Device(
            name: member.key, family: family.name, address: address, settings: Arguments(settings),
            ownSettings: Set(given.members.map(\.key) + secrets), appearance: looks)
        given["family"] = .string(family.name)
        given["address"] = .string(address.description)
        for look in looks.members { given[look.key] = look.value }
        devices.append(
            Entry(
                device: device, place: member.place, given: given, secrets: secrets,
                preferred: isOfFleet ? readPreferred(members, path: path) : []))
    }

    /// Reports a name that a newer version reserves. A fleet file is rejected; a configuration is used without the
    /// name.
    private mutating func refuse(
        _ member: YAMLTree.Member, _ path: String, _ complaint: String, _ consequence: String
    ) {
        guard !isOfFleet else { return reader.complain(at: member.place, path, complaint) }
        let problem = SettingsProblem(
            "\(member.place.file ?? reader.file):\(member.place)", path, "\(complaint); \(consequence)")
        warnings.append(problem.description)
    }

    private mutating func readPreferred(_ members: [YAMLTree.Member], path: String) -> [String] {
        guard let member = members.first(where: { $0.key == "preferred" }), !member.value.isNull else {
            return []
        }
        let list = reader.value(
            member.value, .list(.text(1...64), count: 0...16), form: .bridgeID, path: "\(path).preferred")
        return list?.array?.compactMap(\.string) ?? []
    }

    /// The keys that determine how Home Assistant displays the device.
    private static let looks: [(key: String, type: FieldType, form: SettingForm?)] = [
        ("display_name", .text(1...64), nil), ("area", .text(1...64), nil), ("icon", .text(3...64), .icon),
    ]

    private mutating func readLooks(_ members: [YAMLTree.Member], path: String) -> Appearance {
        var texts: [String: String] = [:]
        for look in Self.looks {
            guard let member = members.first(where: { $0.key == look.key }), !member.value.isNull else {
                continue
            }
            texts[look.key] =
                reader.value(member.value, look.type, form: look.form, path: "\(path).\(look.key)")?.string
        }
        return Appearance(displayName: texts["display_name"], area: texts["area"], icon: texts["icon"])
    }

    private mutating func readFamily(
        _ members: [YAMLTree.Member], of device: YAMLTree.Member, path: String
    ) -> (any DeviceFamily)? {
        let names = families.map(\.name)
        guard let member = members.first(where: { $0.key == "family" }), !member.value.isNull else {
            let allowed = FieldType.choice(names).allowed
            reader.complain(at: device.place, "\(path).family", "missing; allowed: \(allowed)")
            return nil
        }
        let word = reader.value(member.value, .choice(names), path: "\(path).family")?.string
        return families.first { $0.name == word }
    }

    private mutating func readAddress(
        _ members: [YAMLTree.Member], of device: YAMLTree.Member, path: String
    ) -> Address? {
        let path = "\(path).address"
        let form = SettingForm(allowed: "a Bluetooth address such as AA:BB:CC:DD:EE:FF") {
            Address($0[...]) != nil
        }
        guard let member = members.first(where: { $0.key == "address" }), !member.value.isNull else {
            reader.complain(at: device.place, path, "missing; allowed: \(form.allowed)")
            return nil
        }
        let text = reader.value(member.value, .text(0...4096), form: form, path: path)?.string
        return text.flatMap { Address($0[...]) }
    }

    /// Whether the name is the default name of a device that joins without a configured name: `tap/a1b2c3`.
    private func isAutomatic(_ name: String) -> Bool {
        families.contains { family in
            if name == family.name { return family.naming == .single }
            guard name.hasPrefix(family.name + "/") else { return false }
            let id = name.utf8.dropFirst(family.name.utf8.count + 1)
            return [6, 12].contains(id.count)
                && id.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
    }

    private mutating func readGroup(_ member: YAMLTree.Member, devices: [String]) {
        let path = "groups.\(member.key)"
        if let complaint = rules.lastingComplaint(group: member.key) {
            reader.complain(at: member.place, path, complaint)
        } else if let complaint = rules.reservation(ofGroup: member.key) {
            refuse(member, path, complaint, "the group accepts only stops")
        }
        let list = reader.value(member.value, .list(.text(1...128), count: 1...10_000), path: path)
        guard let names = list?.array?.compactMap(\.string) else { return }
        for (index, name) in names.enumerated() {
            let place = member.value.elements[index].place
            let path = "\(path)[\(index)]"
            if !devices.contains(name), !isAutomatic(name) {
                let near = Nearest.word(to: name, among: devices)
                let question = near.map { "did you mean \($0)? Allowed" } ?? "allowed"
                let known = devices.isEmpty ? "names under devices" : devices.joined(separator: " ")
                reader.complain(
                    at: place, path, "found \(name), which is not under devices; \(question): \(known)")
            } else if names[..<index].contains(name) {
                reader.complain(at: place, path, "found \(name) again; allowed: each device once")
            }
        }
        groups.append((BridgeSettings.Group(name: member.key, members: names), member.place))
    }
}

extension Appearance {
    /// The configured keys and their values.
    var members: [(key: String, value: JSON.Value)] {
        [("display_name", displayName), ("area", area), ("icon", icon)].compactMap { key, text in
            text.map { (key, .string($0)) }
        }
    }
}
