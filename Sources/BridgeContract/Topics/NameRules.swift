package import DeviceKit

/// What a device or a group may be called, since its name is its topic.
///
/// Access lists grant topics by name: `lamp/+/level/set` for the family `lamp`, `reply/<user>/#` for answers. So a name
/// at another's root would give a device's topics to whoever has rights there.
package struct NameRules: Sendable {
    /// The words that stand behind every device's name and so cannot end one.
    private let common: Set<String>
    /// The names of the features of each family: a family declares them anew whenever it is asked.
    private let features: [String: [String]]
    private let reserved: [String]
    /// The families that only other bridges know, each with one of these bridges.
    private let foreign: [String: String]
    /// The longest name, in bytes.
    package static let longest = 128

    /// - Parameters:
    ///   - reserved: Roots that other programs use: the discovery prefix.
    ///   - foreign: The families that other bridges know, each with one of these bridges.
    package init(families: [any DeviceFamily], reserved: Set<String>, foreign: [String: String] = [:]) {
        features = Dictionary(families.map { ($0.name, $0.features.map(\.name)) }) { first, _ in first }
        self.reserved = reserved.sorted()
        self.foreign = foreign
        // `set` ends every command's topic.
        common = Set(DeviceFeatures.all.map(\.name) + ["set"])
    }

    /// What no bridge may have as its id: in the topics of requests it means every bridge.
    package static var everyBridge: String { Topics.everyBridge }

    /// The roots of topics that are the bridges' own.
    package static let roots = ["bridge", "all", Topics.rosterRoot, Topics.claimRoot]
    /// The roots that were free in version 0.1.0: a configuration or a state may have a name there.
    static let laterRoots = [Topics.replyRoot, "zone"]
    /// The last levels that were free in version 0.1.0.
    private static let laterEnds: Set<String> = ["action", "state"]
    /// The roots that no family may have as its name either.
    package static var everyRoot: [String] { roots + laterRoots }

    /// Whether a byte may stand in a level of a name.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether a text has the form of a name: levels without a wildcard, which would stand for other topics too.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= longest
            && text.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) }
    }

    // MARK: Devices

    /// What is wrong with a device's name; nil if nothing is.
    ///
    /// - Parameters:
    ///   - family: The name of the device's family, if it is known.
    ///   - groups: The names of all groups.
    ///   - devices: The names of the families of the other devices, by the names of these.
    package func complaint(
        device name: String, family: String?, groups: [String], devices: [String: String]
    ) -> String? {
        lastingComplaint(device: name, family: family, groups: groups, devices: devices)
            ?? family.flatMap { newComplaint(of: name, family: $0) }
    }

    /// What is wrong with a device's name apart from ``reservation(of:family:)``; nil if nothing is.
    package func lastingComplaint(
        device name: String, family: String?, groups: [String], devices: [String: String]
    ) -> String? {
        if let complaint = complaint(name) { return complaint }
        if let group = groups.first(where: { Self.stands(name, under: $0) }) {
            return "the group \(group) has this name; call one of them otherwise"
        }
        if let (parent, last) = Self.split(name), has(devices[parent], last) {
            return "its last part \(last) is the name of a feature of \(parent); "
                + "allowed: a name that ends otherwise"
        }
        for feature in family.flatMap({ features[$0] }) ?? [] {
            let below = "\(name)/\(feature)"
            if devices[below] != nil {
                return "the device \(below) stands below it and ends with the name of its feature; "
                    + "allowed: another name"
            }
        }
        return nil
    }

    /// Why a device may not have a name that it may have had before: the word was free once, or the family that has
    /// this root came later. Such a device gets the name `<family>/<id>`; nil for a name that it may have.
    package func reservation(of name: String, family: String) -> String? {
        if let reason = laterComplaint(name) { return reason }
        return familyComplaint(name, of: family)
    }

    /// Why a device may not get a name that it does not have, apart from how the names of other devices stand to it.
    package func newComplaint(of name: String, family: String) -> String? {
        reservation(of: name, family: family) ?? foreignComplaint(name, of: family)
    }

    /// What is wrong with a name at or below the root of a family that only another bridge knows; nil if nothing is.
    /// Whatever that bridge publishes, a device or a group that has such a name keeps it.
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

    /// The name above a name, and its last part; nil for a name of one level.
    private static func split(_ name: String) -> (parent: String, last: String)? {
        guard let slash = name.lastIndex(of: "/") else { return nil }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    // MARK: Groups

    /// What is wrong with a group's name; nil if nothing is.
    package func complaint(group name: String) -> String? {
        lastingComplaint(group: name) ?? reservation(ofGroup: name) ?? foreignComplaint(name, of: nil)
    }

    /// What is wrong with a group's name apart from ``reservation(ofGroup:)``; nil if nothing is.
    package func lastingComplaint(group name: String) -> String? {
        if let complaint = complaint(name) { return complaint }
        guard features[name] != nil else { return nil }
        return "devices of the family \(name) are named so by default; allowed: any other name"
    }

    /// Why a group may not have a name that it may have had before, as ``reservation(of:family:)``; such a group takes
    /// stops only.
    package func reservation(ofGroup name: String) -> String? {
        laterComplaint(name) ?? familyComplaint(name, of: nil)
    }

    // MARK: Parts

    private func complaint(_ name: String) -> String? {
        guard Self.isName(name) else {
            return "not a name; allowed: A-Z a-z 0-9 _ - and / between levels, 128 at most"
        }
        for root in Self.roots where Self.stands(name, under: root) {
            return Self.reservedComplaint(root)
        }
        for root in reserved where Self.stands(name, under: root) {
            return "\(root) is the discovery prefix (home_assistant.prefix); allowed: another name"
        }
        guard let last = name.split(separator: "/").last, common.contains(String(last)) else { return nil }
        return "its last part \(last) is the name of a feature; allowed: a name that ends otherwise"
    }

    private func laterComplaint(_ name: String) -> String? {
        for root in Self.laterRoots where Self.stands(name, under: root) {
            return Self.reservedComplaint(root)
        }
        guard let last = name.split(separator: "/").last, Self.laterEnds.contains(String(last)) else {
            return nil
        }
        return "its last part \(last) is reserved for the bridge; allowed: a name that ends otherwise"
    }

    private static func reservedComplaint(_ root: String) -> String {
        "\(root) is reserved for the bridge; allowed: a name other than \(root) and not below \(root)/"
    }

    /// What is wrong with a name at or below the root of a family of this bridge other than the device's own.
    private func familyComplaint(_ name: String, of family: String?) -> String? {
        let root = Self.root(of: name)
        guard root != family, features[root] != nil else { return nil }
        return "\(root) is the family of other devices; "
            + "allowed: a name other than \(root) and not below \(root)/"
    }

    /// Whether a name is another one or stands below it.
    private static func stands(_ name: String, under root: String) -> Bool {
        name == root || name.hasPrefix(root + "/")
    }
}
