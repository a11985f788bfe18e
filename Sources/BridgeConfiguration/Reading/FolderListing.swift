import HostServices

/// The files of a folder by the endings of their names, in the order of the alphabet, and what else is there.
///
/// Upper case in an ending makes no difference. Names that begin with a dot are hidden, and are not looked at.
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
        let all = try FileAccess.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
        names = all.filter { Self.stem(of: $0, endings) != nil }
        let others = all.filter { Self.stem(of: $0, endings) == nil }
        let allowed = "allowed: a name that ends in \(endings.joined(separator: " or "))"
        var lines = others.prefix(Self.listed).map { "\(folder)/\($0): ignored; \(allowed)" }
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
