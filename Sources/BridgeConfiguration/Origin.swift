import YAML

/// The source of a setting's value.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    case byDefault
    /// It is not set, and its default is derived from this.
    case derived(String)
    /// A line of the configuration file.
    case file(String, line: Int)
    /// A file with only this value: a credential or a password file.
    case content(String)
    case environment(String)
    case option(String)

    /// A place in its file.
    static func place(_ place: YAMLTree.Place) -> Origin { .file(place.file ?? "", line: place.line) }

    /// The origin for `check-config`.
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
