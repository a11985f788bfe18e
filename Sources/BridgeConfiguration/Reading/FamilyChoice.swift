package import DeviceKit
import YAML

/// The families that a bridge supports: the built-in families, and those of device files.
package struct FamilyChoice: Sendable {
    /// All families; the built-in families are first. A family whose file cannot be used has a ``DeviceFamily/fault``.
    package private(set) var families: [any DeviceFamily]
    /// The result of reading each device file. The user's files are last.
    package private(set) var files: [DeviceFileReading]

    /// Chooses the families. A user's file takes precedence over a shipped file of the same family. Built-in families,
    /// and names that the configuration already uses, take precedence over both kinds of files.
    ///
    /// - Parameters:
    ///   - builtIn: The built-in families.
    ///   - shipped: The shipped files.
    ///   - own: The user's files.
    ///   - before: The families before a reload. If a file can no longer be used, its family stays unchanged.
    ///   - reserved: The names that no family of a device file may have. The reader rejects a file with such a name.
    ///   - taken: Returns, in words, what already uses the name of a family in this configuration; nil if nothing uses
    ///     it.
    init(
        builtIn: [any DeviceFamily], shipped: [DeviceFileReading], own: [DeviceFileReading],
        before: [any DeviceFamily] = [], reserved: Set<String>,
        taken: (_ family: String, _ plural: String) -> String?
    ) {
        families = builtIn
        files = shipped + own
        let builtInNames = Set(builtIn.map(\.name))
        for index in files.indices {
            guard let name = files[index].name else { continue }
            // No placeholder family is created for an unusable file with a reserved name, because the placeholder would
            // hide a section of the configuration.
            if files[index].family == nil, reserved.contains(name) {
                files[index].name = nil
                continue
            }
            let beside = files[(index < shipped.count ? 0 : shipped.count)..<index]
            if builtInNames.contains(name) {
                files[index].leaveOut(
                    "family: found \(name), which is a built-in family; allowed: another name")
            } else if let other = beside.first(where: { $0.name == name }) {
                files[index].leaveOut(
                    "family: found \(name), which \(other.path) declares too; allowed: one file for each family"
                )
            } else if let family = files[index].family, let holder = taken(name, family.plural) {
                files[index].leaveOut(
                    "family: found \(name), but \(holder); allowed: another family name")
            }
        }
        let plurals = Dictionary(builtIn.map { ($0.plural, $0.name) }) { first, _ in first }
        while leaveOutTwin(plurals) {}
        for index in chosen {
            let name = files[index].name ?? ""
            let fault = files[index].problems.first ?? "\(files[index].path): cannot be used"
            families.append(
                files[index].family ?? before.first { $0.name == name && $0.fault == nil }
                    ?? FaultyFamily(name: name, fault: fault))
        }
    }

    /// For each family of a device file, the index of the file that declares it: the user's file, unless only the
    /// shipped file can be used.
    private var chosen: [Int] {
        var chosen: [(name: String, index: Int)] = []
        for (index, file) in files.enumerated() {
            guard let name = file.name else { continue }
            guard let place = chosen.firstIndex(where: { $0.name == name }) else {
                chosen.append((name, index))
                continue
            }
            if file.family != nil || files[chosen[place].index].family == nil { chosen[place].index = index }
        }
        return chosen.map(\.index)
    }

    /// Rejects one file whose family has the same plural as another family. A shipped file of the same family may then
    /// replace the rejected file.
    ///
    /// - Parameter plurals: The names of the built-in families by their plurals.
    /// - Returns: Whether a file was rejected.
    private mutating func leaveOutTwin(_ plurals: [String: String]) -> Bool {
        var holders = plurals
        for index in chosen.sorted() {
            guard let family = files[index].family else { continue }
            if let other = holders[family.plural] {
                files[index].leaveOut(
                    "plural: found \(family.plural), which the family \(other) uses too; allowed: another word"
                )
                return true
            }
            holders[family.plural] = family.name
        }
        return false
    }
}

extension DeviceFileReading {
    fileprivate mutating func leaveOut(_ problem: String) {
        family = nil
        name = nil
        problems.append("\(path): \(problem)")
    }
}

/// The names in a configuration that families of device files must not use: the names of groups, and of devices of
/// other families.
struct TakenNames {
    /// The name of each device's family, by the device's name.
    private var devices: [String: String] = [:]
    private var groups: Set<String> = []
    private let prefix: String

    /// - Parameters:
    ///   - tree: The configuration file.
    ///   - prefix: The discovery prefix of Home Assistant.
    init(_ tree: YAMLTree?, prefix: String) {
        self.prefix = prefix
        guard case .mapping(let members)? = tree?.content else { return }
        for member in members {
            guard case .mapping(let entries) = member.value.content else { continue }
            if member.key == "groups" { groups = Set(entries.map(\.key)) }
            guard member.key == "devices" else { continue }
            for entry in entries {
                guard case .mapping(let keys) = entry.value.content,
                    case .scalar(let word, _)? = keys.first(where: { $0.key == "family" })?.value.content
                else { continue }
                devices[entry.key] = word
            }
        }
    }

    /// Returns, in words, what already uses the name of a family or the name of its group; nil if nothing uses it.
    func holder(_ family: String, _ plural: String) -> String? {
        if prefix == family || prefix.hasPrefix(family + "/") { return "it is the discovery prefix" }
        if let other = devices[family], other != family {
            return "a device of the family \(other) has this name"
        }
        if groups.contains(family) { return "a group has this name" }
        if let group = groups.first(where: { $0 == "all/\(plural)" }) {
            return "the group \(group) has the plural of this family as its name"
        }
        return nil
    }
}
