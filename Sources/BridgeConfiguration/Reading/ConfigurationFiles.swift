import HostServices
import YAML

/// The files of a configuration as one tree: the file that is named, and the YAML files of the folder `conf.d` beside
/// it in the order of their names.
///
/// Sections merge, `devices` and `groups` among them. No file wins over another: a key that two files give is a
/// problem, so that the order of the names decides nothing but the order of the devices.
struct ConfigurationFiles {
    /// Where the named file is, or would be.
    let path: String
    /// The named file; nil where there is none, which is allowed.
    private(set) var main: String?
    /// The files of the folder, in the order of their names.
    private(set) var parts: [String] = []
    /// What they say together; nil where they say nothing.
    private(set) var tree: YAMLTree?
    /// Files that hold something else than a mapping: what reads sections complains of them.
    private(set) var strays: [YAMLTree] = []
    private(set) var problems: [SettingsProblem] = []
    /// What is in the folder and is not read, a line each.
    private(set) var ignored: [String] = []

    private let mayBeMissing: Bool

    /// The name of the folder.
    static let folderName = "conf.d"
    /// How many files of the folder are looked at.
    static let fileCount = 256
    /// The largest file that is looked at, in bytes.
    private static let maximumSize = 4 << 20
    /// Sections in sections, such as `mqtt.tls`. Those at the top merge whatever they are called.
    private static let settings = Setting.all([]).map(\.path)

    /// - Parameters:
    ///   - path: The named file.
    ///   - mayBeMissing: Whether there need not be one.
    init(_ path: String, mayBeMissing: Bool) {
        self.path = path
        self.mayBeMissing = mayBeMissing
    }

    /// Reads all of them; blocks while it does.
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

    /// - Returns: Whether there is such a file.
    private mutating func readFile(_ file: String, mayBeMissing: Bool) -> Bool {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(file, limit: Self.maximumSize) } catch {
            if mayBeMissing, error.isMissing { return false }
            problems.append(
                SettingsProblem(file, "", "cannot be read: \(error.reason); allowed: a file in YAML"))
            return true
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            problems.append(SettingsProblem(file, "", "not a text in UTF-8"))
            return true
        }
        do { add(try YAMLTree(text).named(file)) } catch {
            let advice = error.message.hasPrefix("mqtt.password: ") ? "; a password: mqtt.password_file" : ""
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
            // A key without a value says nothing: it is given where it has one.
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
                "given in \(first.file ?? "") too, at \(first); allowed: once, in one of the two files"))
    }
}
