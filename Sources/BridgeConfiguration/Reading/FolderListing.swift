import HostServices

/// The files of a folder that have certain extensions, in alphabetical order, and the other entries of the folder.
///
/// Extensions are case-insensitive. Names that start with a dot are ignored.
struct FolderListing {
    /// The file names that have one of the extensions.
    let names: [String]
    /// The messages about ignored entries, one per line.
    let ignored: [String]

    static let yaml = [".yaml", ".yml"]
    /// The maximum number of ignored files that are listed by name.
    private static let listed = 20

    init(_ folder: String, endings: [String] = Self.yaml) throws(FileAccess.Failure) {
        let all = try FileAccess.names(in: folder).sorted()
        func isRead(_ name: String) -> Bool {
            !name.hasPrefix(".") && Self.stem(of: name, endings) != nil
        }
        names = all.filter(isRead)
        let others = all.filter { !isRead($0) }
        let allowed = "allowed: a name that ends in \(endings.joined(separator: " or "))"
        var lines = others.prefix(Self.listed).map {
            "\(folder)/\($0): ignored; \(allowed)"
                + ($0.hasPrefix(".") ? " and does not start with a dot" : "")
        }
        if others.count > lines.count {
            lines.append("\(folder): \(others.count - lines.count) more files are ignored; \(allowed)")
        }
        ignored = lines
    }

    /// Returns a file's name without its extension; nil if it has none of these extensions.
    static func stem(of name: String, _ endings: [String] = Self.yaml) -> String? {
        let lowercased = name.lowercased()
        return endings.first { lowercased.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    }
}
