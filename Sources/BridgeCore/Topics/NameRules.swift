package import DeviceKit

/// What a device or a group may be called, since its name is its topic.
package struct NameRules: Sendable {
    /// The names that stand behind a device's name and so cannot end one.
    private let features: Set<String>
    private let families: [any DeviceFamily]
    private let reserved: [String]

    /// - Parameter reserved: Roots that are somebody else's: the discovery prefix.
    package init(families: [any DeviceFamily], reserved: Set<String>) {
        self.families = families
        self.reserved = reserved.sorted()
        // `haptic` belongs to every device that can vibrate, `set` ends every command's topic.
        features = Set(
            families.flatMap { $0.features.map(\.name) } + DeviceFeatures.all.map(\.name) + ["haptic", "set"])
    }

    /// Whether a byte may stand in a level of a name.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// What is wrong with a device's name; nil if nothing is.
    ///
    /// - Parameter groups: The names of all groups.
    package func complaint(device name: String, groups: [String]) -> String? {
        if let complaint = complaint(name) { return complaint }
        guard let group = groups.first(where: { Self.stands(name, under: $0) }) else { return nil }
        return "the group \(group) has this name; call one of them otherwise"
    }

    /// What is wrong with a group's name; nil if nothing is.
    package func complaint(group name: String) -> String? {
        if let complaint = complaint(name) { return complaint }
        guard families.contains(where: { $0.name == name }) else { return nil }
        return "devices of the family \(name) are named so by default; allowed: any other name"
    }

    private func complaint(_ name: String) -> String? {
        let levels = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= 128,
            levels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isNameByte) })
        else { return "not a name; allowed: A-Z a-z 0-9 _ - and / between levels, 128 at most" }
        for root in ["bridge", "all"] where Self.stands(name, under: root) {
            return "\(root) is reserved for the bridge; allowed: a name that does not begin with \(root)/"
        }
        for root in reserved where Self.stands(name, under: root) {
            return "\(root) is the discovery prefix (home_assistant.prefix); allowed: another name"
        }
        guard let last = levels.last, features.contains(String(last)) else { return nil }
        return "its last part \(last) is the name of a feature; allowed: a name that ends otherwise"
    }

    /// Whether a name is another one or stands below it.
    private static func stands(_ name: String, under root: String) -> Bool {
        name == root || name.hasPrefix(root + "/")
    }
}
