package import DeviceKit

/// The rules for the names of devices and groups, which are their topics.
///
/// Access lists grant topics by name: `lamp/+/level/set` for the family `lamp`, `reply/<user>/#` for answers. So a name
/// below the root of another family or user would grant a device's topics to users with access there.
package struct NameRules: Sendable {
    /// The words that follow every device's name in topics, so no name may end with them.
    private let common: Set<String>
    /// The names of the features of each family. They are kept here because a family creates its declarations at each
    /// access.
    private let features: [String: [String]]
    private let reserved: [String]
    /// For each family that only other bridges support, one of these bridges.
    private let foreign: [String: String]
    /// The longest name, in bytes.
    package static let longest = 128

    /// - Parameters:
    ///   - reserved: Root topics that other programs use: the discovery prefix.
    ///   - foreign: For each family that other bridges support, one of these bridges.
    package init(families: [any DeviceFamily], reserved: Set<String>, foreign: [String: String] = [:]) {
        features = Dictionary(families.map { ($0.name, $0.features.map(\.name)) }) { first, _ in first }
        self.reserved = reserved.sorted()
        self.foreign = foreign
        // `set` is the last level of every command's topic.
        common = Set(DeviceFeatures.all.map(\.name) + ["set"])
    }

    /// An id that no bridge may have: in the topic of a request, it addresses every bridge.
    package static var everyBridge: String { Topics.everyBridge }

    /// The roots of topics that are reserved for bridges.
    package static let roots = ["bridge", "all", Topics.rosterRoot, Topics.claimRoot]
    /// Roots that were not reserved in version 0.1.0, so names in an old configuration or state may use them.
    static let laterRoots = [Topics.replyRoot, Topics.zoneRoot]
    /// Last levels that were not reserved in version 0.1.0, so old names may use them.
    private static let laterEnds: Set<String> = ["action", "state"]
    /// The roots that are also reserved as names of families.
    package static var everyRoot: [String] { roots + laterRoots }

    /// Whether a byte is allowed in a level of a name.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether a text has the form of a name: levels without wildcards, which would match other topics too.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= longest
            && text.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) }
    }

    // MARK: Devices

    /// Returns the problem of a device's name; nil if there is none.
    ///
    /// - Parameters:
    ///   - family: The name of the device's family, if it is known.
    ///   - groups: The names of all groups.
    ///   - devices: The family of each other device, by the device's name.
    package func complaint(
        device name: String, family: String?, groups: [String], devices: [String: String]
    ) -> String? {
        lastingComplaint(device: name, family: family, groups: groups, devices: devices)
            ?? family.flatMap { newComplaint(of: name, family: $0) }
    }

    /// Returns the problem of a device's name that also applies to a name which the device already has; nil if there is
    /// none. The rules of ``reservation(of:family:)`` are not checked.
    package func lastingComplaint(
        device name: String, family: String?, groups: [String], devices: [String: String]
    ) -> String? {
        if let complaint = complaint(name) { return complaint }
        if let group = groups.first(where: { Self.stands(name, under: $0) }) {
            return "the group \(group) has this name; rename one of them"
        }
        if let (parent, last) = Self.split(name), has(devices[parent], last) {
            return "its last part \(last) is the name of a feature of \(parent); "
                + "allowed: a name with a different last part"
        }
        for feature in family.flatMap({ features[$0] }) ?? [] {
            let below = "\(name)/\(feature)"
            if devices[below] != nil {
                return "the device \(below) is below it and ends with the name of its feature; "
                    + "allowed: another name"
            }
        }
        return nil
    }

    /// Why a device may not keep an older name: one of its words was reserved later, or a family with this root was
    /// added later. Such a device is renamed to `<family>/<id>`. Nil if the name is allowed.
    package func reservation(of name: String, family: String) -> String? {
        if let reason = laterComplaint(name) { return reason }
        return familyComplaint(name, of: family)
    }

    /// Why a device may not receive a name that it does not have yet, apart from conflicts with the names of other
    /// devices.
    package func newComplaint(of name: String, family: String) -> String? {
        reservation(of: name, family: family) ?? foreignComplaint(name, of: family)
    }

    /// Returns the problem of a name at or below the root of a family that only another bridge supports; nil if there
    /// is none. A device or a group that already has such a name keeps it, whatever that bridge publishes.
    package func foreignComplaint(_ name: String, of family: String?) -> String? {
        let root = Self.root(of: name)
        guard root != family, features[root] == nil, let bridge = foreign[root] else { return nil }
        return "\(root) is a family of devices that the bridge \(bridge) knows; "
            + "allowed: a name other than \(root) and not below \(root)/"
    }

    /// The first level of a name.
    package static func root(of name: String) -> String { String(name.prefix { $0 != "/" }) }

    private func has(_ family: String?, _ feature: String) -> Bool {
        family.flatMap { features[$0] }?.contains(feature) ?? false
    }

    /// The part of a name before the last slash, and its last level; nil for a name of one level.
    private static func split(_ name: String) -> (parent: String, last: String)? {
        guard let slash = name.lastIndex(of: "/") else { return nil }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    // MARK: Groups

    /// Returns the problem of a group's name; nil if there is none.
    package func complaint(group name: String) -> String? {
        lastingComplaint(group: name) ?? reservation(ofGroup: name) ?? foreignComplaint(name, of: nil)
    }

    /// Returns the problem of a group's name that also applies to an existing group; nil if there is none. The rules of
    /// ``reservation(ofGroup:)`` are not checked.
    package func lastingComplaint(group name: String) -> String? {
        if let complaint = complaint(name) { return complaint }
        guard features[name] != nil else { return nil }
        return "it is the default name of devices of the family \(name); allowed: any other name"
    }

    /// Why a group may not keep an older name: a word of the name was reserved later, as in
    /// ``reservation(of:family:)``. Such a group accepts only stops.
    package func reservation(ofGroup name: String) -> String? {
        laterComplaint(name) ?? familyComplaint(name, of: nil)
    }

    // MARK: Parts

    private func complaint(_ name: String) -> String? {
        guard Self.isName(name) else {
            return "not a name; allowed: A-Z a-z 0-9 _ - and / between levels, at most 128 characters"
        }
        for root in Self.roots where Self.stands(name, under: root) {
            return Self.reservedComplaint(root)
        }
        for root in reserved where Self.stands(name, under: root) {
            return "\(root) is the discovery prefix (home_assistant.prefix); allowed: another name"
        }
        guard let last = name.split(separator: "/").last, common.contains(String(last)) else { return nil }
        return "its last part \(last) is the name of a feature; allowed: a name with a different last part"
    }

    private func laterComplaint(_ name: String) -> String? {
        for root in Self.laterRoots where Self.stands(name, under: root) {
            return Self.reservedComplaint(root)
        }
        guard let last = name.split(separator: "/").last, Self.laterEnds.contains(String(last)) else {
            return nil
        }
        return "its last part \(last) is reserved for the bridge; allowed: a name with a different last part"
    }

    private static func reservedComplaint(_ root: String) -> String {
        "\(root) is reserved for the bridge; allowed: a name other than \(root) and not below \(root)/"
    }

    /// Returns the problem of a name at or below the root of another family of this bridge; nil if there is none.
    private func familyComplaint(_ name: String, of family: String?) -> String? {
        let root = Self.root(of: name)
        guard root != family, features[root] != nil else { return nil }
        return "\(root) is the family of other devices; "
            + "allowed: a name other than \(root) and not below \(root)/"
    }

    /// Whether a name equals a root or is below it.
    private static func stands(_ name: String, under root: String) -> Bool {
        name == root || name.hasPrefix(root + "/")
    }
}
