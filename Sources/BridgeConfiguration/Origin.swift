import YAML

/// The source of a setting's value.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    case byDefault
    /// The setting is not set. Its default is derived from this source, which is described in words.
    case derived(String)
    /// A line of the configuration file.
    case file(String, line: Int)
    /// A file that contains only this value: a systemd credential or a password file.
    case content(String)
    case environment(String)
    case option(String)

    /// Returns the origin of a value at a place in a configuration file.
    static func place(_ place: YAMLTree.Place) -> Origin { .file(place.file ?? "", line: place.line) }

    /// The origin as the command `check-config` prints it.
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
