import YAML

/// Where a setting's value came from.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    case byDefault
    /// It is not set; it follows from this.
    case derived(String)
    /// A line of the configuration file.
    case file(String, line: Int)
    /// A file that holds nothing else: a credential, a password file.
    case content(String)
    /// An environment variable.
    case environment(String)
    /// An option of the command line.
    case option(String)

    /// A place that names its file.
    static func place(_ place: YAMLTree.Place) -> Origin { .file(place.file ?? "", line: place.line) }

    /// As `check-config` shows it.
    package var description: String {
        switch self {
        case .byDefault: "default"
        case .derived(let source): "default: \(source)"
        case .file(let path, let line): "\(path):\(line)"
        case .content(let path): path
        case .environment(let variable): variable
        case .option(let option): option
        }
    }
}
