import HostServices
import YAML

/// The files of a configuration as one tree: the main file, and the YAML files of the folder `conf.d` next to it, in
/// the order of their names.
///
/// Sections are merged, including `devices` and `groups`. No file takes precedence: a key in two files is an error. The
/// order of the names therefore affects only the order of the devices.
struct ConfigurationFiles {
    /// The path of the main file, which may be missing.
    let path: String
    /// The path of the main file; nil if the file is missing, which is allowed for the default path.
    private(set) var main: String?
    /// The paths of the files in the folder `conf.d`, in the order of their names.
    private(set) var parts: [String] = []
    /// The merged tree; nil if it is empty.
    private(set) var tree: YAMLTree?
    /// The trees of files whose top level is not a mapping. ``SectionReader`` reports these files as problems.
    private(set) var strays: [YAMLTree] = []
    private(set) var problems: [SettingsProblem] = []
    /// Entries in the folder that are not read, one per line.
    private(set) var ignored: [String] = []

    private let mayBeMissing: Bool

    static let folderName = "conf.d"
    /// The maximum number of files in the folder.
    static let fileCount = 256
    /// The maximum size of a file, in bytes.
    private static let maximumSize = 4 << 20
    /// The paths of the declared settings. They show which mappings are nested sections, such as `mqtt.tls`. Top-level
    /// sections are always merged.
    private static let settings = Setting.all([]).map(\.path)

    /// - Parameters:
    ///   - path: The path of the main file.
    ///   - mayBeMissing: Whether the main file may be missing.
    init(_ path: String, mayBeMissing: Bool) {
        self.path = path
        self.mayBeMissing = mayBeMissing
    }

    /// Reads all files. The call blocks.
    mutating func read() {
        if readFile(path, mayBeMissing: mayBeMissing) { main = path }
        let folder = path.lastIndex(of: "/").map { "\(path[...$0])" + Self.folderName } ?? Self.folderName
        for name in names(in: folder) {
            parts.append("\(folder)/\(name)")
            _ = readFile("\(folder)/\(name)", mayBeMissing: false)
        }
    }

    private mutating func names(in folder: String) -> [String] {
        let listing: FolderListing
        do { listing = try FolderListing(folder) } catch {
            if !error.isMissing {
                problems.append(
                    SettingsProblem(folder, "", "cannot be read: \(error.reason); allowed: a folder"))
            }
            return []
        }
        ignored = listing.ignored
        guard listing.names.count <= Self.fileCount else {
            problems.append(
                SettingsProblem(folder, "", "found \(listing.names.count) files; allowed: \(Self.fileCount)"))
            return []
        }
        return listing.names
    }

    /// - Returns: Whether the file exists.
    private mutating func readFile(_ file: String, mayBeMissing: Bool) -> Bool {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(file, limit: Self.maximumSize) } catch {
            if mayBeMissing, error.isMissing { return false }
            problems.append(
                SettingsProblem(file, "", "cannot be read: \(error.reason); allowed: a file in YAML"))
            return true
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            problems.append(SettingsProblem(file, "", "not UTF-8 text"))
            return true
        }
        do { add(try YAMLTree(text).named(file)) } catch {
            let advice =
                error.message.hasPrefix("mqtt.password: ") ? "; use mqtt.password_file for a password" : ""
            problems.append(SettingsProblem("\(file):\(error.place)", "", error.message + advice))
        }
        return true
    }

    private mutating func add(_ other: YAMLTree) {
        if other.isNull { return }
        guard case .mapping(let more) = other.content else { return strays.append(other) }
        guard let tree, case .mapping(let members) = tree.content else { return tree = other }
        self.tree = tree.holding(merge(members, with: more, prefix: ""))
    }

    private mutating func merge(
        _ members: [YAMLTree.Member], with more: [YAMLTree.Member], prefix: String
    ) -> [YAMLTree.Member] {
        var merged = members
        let indices = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
        for member in more {
            guard let index = indices[member.key] else {
                merged.append(member)
                continue
            }
            // A key without a value is ignored, because another file may set the key.
            if member.value.isNull { continue }
            let path = prefix + member.key
            switch (merged[index].value.content, member.value.content) {
            case _ where merged[index].value.isNull: merged[index] = member
            case (.mapping(let first), .mapping(let second)) where isSection(path, prefix: prefix):
                merged[index].value = merged[index].value.holding(
                    merge(first, with: second, prefix: path + "."))
            default: complain(path, merged[index].place, member.place)
            }
        }
        return merged
    }

    private func isSection(_ path: String, prefix: String) -> Bool {
        prefix.isEmpty || Self.settings.contains { $0.hasPrefix(path + ".") }
    }

    private mutating func complain(_ path: String, _ first: YAMLTree.Place, _ second: YAMLTree.Place) {
        problems.append(
            SettingsProblem(
                "\(second.file ?? ""):\(second)", path,
                "also set in \(first.file ?? "") at \(first); allowed: once, in one of the two files"))
    }
}
