import HostServices

/// The files of a folder by the endings of their names, in the order of the alphabet, and what else is there.
///
/// Upper case in an ending makes no difference. Names that begin with a dot are ignored.
struct FolderListing {
    /// The names that have one of the endings.
    let names: [String]
    /// What is ignored, a line each.
    let ignored: [String]

    /// The endings of YAML files.
    static let yaml = [".yaml", ".yml"]
    /// How many ignored files are listed by their names.
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
            "\(folder)/\($0): ignored; \(allowed)" + ($0.hasPrefix(".") ? ", without a dot at its start" : "")
        }
        if others.count > lines.count {
            lines.append("\(folder): \(others.count - lines.count) more are ignored; \(allowed)")
        }
        ignored = lines
    }

    /// A file's name without its ending; nil if it has none of these.
    static func stem(of name: String, _ endings: [String] = Self.yaml) -> String? {
        let lowercased = name.lowercased()
        return endings.first { lowercased.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    }
}
